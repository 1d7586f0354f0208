"""A chat client on the PyPI package `slack_sdk`, whose Socket Mode client connects again by itself; for the profile
`slack-socket-mode`. Messages arrive over the WebSocket and go out by the Web API."""

import asyncio
import urllib.parse

import aiohttp
import chat
from slack_sdk.errors import SlackClientError
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.web.async_client import AsyncWebClient


class Chat(chat.Chat):
    def __init__(self, url, key, report):
        super().__init__(report)
        self.key, self.api = key, f"http://{urllib.parse.urlsplit(url).netloc}/api/"

    async def run(self):
        self.web = AsyncWebClient(token=self.key, base_url=self.api)
        self.client = SocketModeClient(app_token=self.key, web_client=self.web, on_close_listeners=[self.closed])
        self.client.message_listeners.append(self.received)
        self.client.socket_mode_request_listeners.append(self.requested)
        await self.client.connect()

    async def closed(self, *_):
        self.lost()

    def lost(self):
        if self.early is None:
            self.away()

    async def received(self, client, message, raw):
        if message.get("type") == "hello":
            self.lost()
            await self.caught_up([])

    async def requested(self, client, request):
        await client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))
        event = request.payload["event"]
        self.show({"id": event["ts"], "room": event["channel"]} | event["metadata"]["event_payload"])

    async def close(self):
        await self.client.close()

    async def transmit(self, key):
        self.status(key, "sending")
        room, text = self.outbox[key]
        metadata = {"event_type": "sent", "event_payload": {"key": key}}
        try:
            answer = await self.web.chat_postMessage(channel=room, text=text, metadata=metadata)
        except (SlackClientError, aiohttp.ClientError, OSError, asyncio.TimeoutError):
            return self.status(key, "queued")
        self.confirmed(key, answer["message"]["metadata"]["event_payload"])

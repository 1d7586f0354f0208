"""A chat client on the PyPI package `discord.py`, which connects again and resumes by itself; for the profile
`discord-gateway`. Messages arrive over the gateway and go out by the HTTP API."""

import asyncio
import urllib.parse

import aiohttp
import chat
import discord
import yarl


class Client(discord.Client):
    """Gives the library's events to the chat."""

    def __init__(self, chat):
        super().__init__(intents=discord.Intents.default())
        self.chat = chat

    async def on_ready(self):
        self.chat.lost()
        await self.chat.caught_up([])

    on_resumed = on_ready

    async def on_disconnect(self):
        self.chat.lost()

    async def on_message(self, message):
        self.chat.show({"id": message.nonce, "seq": message.id, "room": "stukov"})


class Chat(chat.Chat):
    def __init__(self, url, key, report):
        super().__init__(report)
        # The library stores its server addresses as attributes of two classes, which are replaced here.
        host = urllib.parse.urlsplit(url).netloc
        discord.http.Route.BASE = f"http://{host}/api/v10"
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{host}/")
        self.key, self.client = key, Client(self)

    async def run(self):
        await self.client.start(self.key)

    def lost(self):
        if self.early is None:
            self.away()

    async def close(self):
        await self.client.close()

    async def transmit(self, key):
        self.status(key, "sending")
        try:
            stored = await self.client.get_partial_messageable(1).send(self.outbox[key][1], nonce=key)
        except (discord.DiscordException, aiohttp.ClientError, OSError, asyncio.TimeoutError):
            return self.status(key, "queued")
        self.confirmed(key, {"seq": stored.id})

"""A chat client on the PyPI package `signalrcore`, which connects again by itself; for the profile `signalr`."""

import asyncio

import chat
from signalrcore.hub.errors import HubConnectionError
from signalrcore.hub_connection_builder import HubConnectionBuilder


class Chat(chat.Chat):
    def __init__(self, url, key, report):
        super().__init__(report)
        self.key = key
        self.hub = (
            HubConnectionBuilder()
            .with_url("http" + url.removeprefix("ws"), options={"access_token_factory": lambda: key})
            .with_automatic_reconnect({"type": "raw", "keep_alive_interval": 10, "reconnect_interval": 5})
            .build()
        )
        self.hub.on_open(self.later(self.join))
        self.hub.on_reconnect(self.later(self.rejoin))
        self.hub.on_close(self.later(self.away))
        self.hub.on("Message", self.later(lambda arguments: self.show(arguments[0])))

    async def run(self):
        await asyncio.to_thread(self.hub.start)

    def rejoin(self):
        self.away()
        return self.join()

    async def join(self):
        await self.invoke("Join", self.key, None)
        missed = await self.invoke("Missed", self.seen)
        await self.caught_up(missed["messages"])

    async def invoke(self, method, *arguments):
        """The result of a hub method."""
        answer = self.loop.create_future()
        done = self.later(lambda message: None if answer.done() else answer.set_result(message.result))
        await asyncio.to_thread(self.hub.invoke, method, list(arguments), done)
        return await asyncio.wait_for(answer, 10)

    async def close(self):
        await asyncio.to_thread(self.hub.stop)

    async def transmit(self, key):
        self.status(key, "sending")
        room, text = self.outbox[key]
        try:
            stored = await self.invoke("Send", room, key, text)
        except (HubConnectionError, OSError, asyncio.TimeoutError):  # no connection
            return self.status(key, "queued")
        self.confirmed(key, stored)

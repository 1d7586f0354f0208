"""A chat client on the PyPI package `centrifuge-python`, which reconnects and subscribes again by itself; for the profile
`centrifugo`."""

import asyncio

import centrifuge
import chat


class Chat(chat.Chat, centrifuge.ClientEventHandler, centrifuge.SubscriptionEventHandler):
    def __init__(self, url, key, report):
        super().__init__(report)
        self.client = centrifuge.Client(url, token=key, events=self)
        self.subscription = self.client.new_subscription("chat", events=self)

    async def run(self):
        await self.client.connect()
        await self.subscription.subscribe()

    async def on_connecting(self, context):
        if self.early is None:
            self.away()

    async def on_subscribed(self, context):
        # A handler blocks the library's further handlers, so awaiting a reply here would deadlock. A separate task does
        # it.
        self.catching_up = asyncio.create_task(self.catch_up())

    async def on_publication(self, context):
        self.show(context.pub.data)

    async def catch_up(self):
        answer = await self.client.rpc("missed", {"after": self.seen})
        await self.caught_up(answer.data["messages"])

    async def close(self):
        await self.client.disconnect()

    async def transmit(self, key):
        self.status(key, "sending")
        room, text = self.outbox[key]
        try:
            stored = await self.client.rpc("send", {"room": room, "key": key, "text": text})
        except centrifuge.CentrifugeError:  # no connection, or a refusal
            return self.status(key, "queued")
        self.confirmed(key, stored.data)

"""A chat client on the PyPI package `Pysher`, which connects again by itself; for the profile `pusher`. The application
subscribes whenever a connection is established, as its documentation shows. It has no callback for a lost connection."""

import asyncio
import json
import urllib.parse

import chat
import pysher

CHANNEL = "private-chat"


class Chat(chat.Chat):
    def __init__(self, url, key, report):
        super().__init__(report)
        self.key, address = key, urllib.parse.urlsplit(url)
        app = address.path.removeprefix("/app/")
        self.pusher = pysher.Pusher(app, custom_host=address.hostname, port=address.port, secure=False)
        self.pusher.connection.bind("pusher:connection_established", self.established)
        self.answers = {
            "pusher_internal:subscription_succeeded": lambda _: self.channel.trigger("client-missed", {"after": self.seen}),
            "message": self.show,
            "missed": lambda answer: self.caught_up(answer["messages"]),
            "stored": lambda answer: self.confirmed(answer["key"], answer),
        }

    async def run(self):
        self.pusher.connect()

    def established(self, _):
        """Runs on Pysher's thread, like the callbacks below."""
        self.later(self.lost)()
        self.channel = self.pusher.subscribe(CHANNEL, auth=self.key)
        for event, call in self.answers.items():
            self.channel.bind(event, lambda data, call=self.later(call): call(json.loads(data)))

    def lost(self):
        if self.early is None:
            self.away()

    async def close(self):
        await asyncio.to_thread(self.pusher.disconnect)

    async def transmit(self, key):
        connected = self.pusher.connection.state == "connected" and self.early is None
        self.status(key, "sending" if connected else "queued")
        if connected:
            room, text = self.outbox[key]
            self.channel.trigger("client-message", {"room": room, "key": key, "text": text})

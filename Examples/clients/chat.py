"""What the chat clients in this folder share: an outbox, a list of messages, and reports to the adapter."""

import asyncio
import uuid


class Chat:
    def __init__(self, report):
        self.report = report
        self.loop = asyncio.get_running_loop()
        self.seen = 0  # the highest seq received
        self.outbox = {}  # key -> unconfirmed message: conversation and text
        self.shown = set()
        self.early = []  # messages that arrived before the missed ones; None once those are shown
        self.report("state", value="connecting")

    def later(self, call):
        """A callback for a library's own thread: runs `call` on the event loop."""

        def run(*arguments):
            if (work := call(*arguments)) is not None:
                self.loop.create_task(work)

        return lambda *arguments: self.loop.call_soon_threadsafe(run, *arguments)

    def away(self):
        """The connection is lost, and the library connects again."""
        self.early = []
        self.report("state", value="reconnecting")

    async def caught_up(self, missed):
        """The connection is back, and the server has answered with the missed messages."""
        missed, self.early = missed + (self.early or []), None
        for message in missed:
            self.show(message)
        self.report("state", value="online")
        for key in list(self.outbox):
            await self.transmit(key)

    def show(self, message):
        if self.early is not None:
            return self.early.append(message)
        self.seen = max(self.seen, message["seq"])
        key = message.get("key") or message["id"]
        if key not in self.shown:
            self.shown.add(key)
            self.report("message", conversation=message["room"], id=key)

    async def close(self):
        """The user leaves: `run` has been cancelled, and the library closes its connection for good."""

    def send(self, conversation, text):
        """Accepts a message from the user, to be sent now or on the next connection."""
        key = str(uuid.uuid4())
        self.shown.add(key)
        self.outbox[key] = conversation, text
        return key

    def confirmed(self, key, stored):
        self.seen = max(self.seen, stored["seq"])
        if self.outbox.pop(key, None):
            self.status(key, "delivered")

    def status(self, key, value):
        self.report("status", client_message_id=key, value=value)

"""A chat client on the PyPI package `phoenix-channels-python-client`, which reconnects and joins again by itself; for the
profile `phoenix`. The package has no call for pushes: the client gives them to its protocol handler."""

import uuid

import chat
from phoenix_channels_python_client import PHXChannelsClient, exceptions
from phoenix_channels_python_client.utils import make_message

TOPIC = "chat:lobby"


class Chat(chat.Chat):
    def __init__(self, url, key, report):
        super().__init__(report)
        self.client = PHXChannelsClient(
            url, key, heartbeat_dead_threshold_s=45, on_reconnect=self.joined, on_disconnect=self.left
        )

    async def run(self):
        async with self.client:
            await self.client.subscribe_to_topic(TOPIC, self.received)
            await self.joined()
            await self.client.run_forever(install_signal_handlers=False)

    async def joined(self):
        await self.push("missed", f"missed-{uuid.uuid4()}", {"after": self.seen})

    async def left(self, *why):
        self.away()

    async def push(self, event, ref, payload):
        topic = self.client.get_current_subscriptions()[TOPIC]
        message = make_message(event, TOPIC, ref, payload, topic.join_ref)
        await self.client.get_protocol_handler().send_message(self.client.connection, message)

    async def received(self, message):
        answer = message.payload.get("response", {})
        if message.event == "new_msg":
            self.show(message.payload)
        elif "missed" in answer:
            await self.caught_up(answer["missed"])
        elif message.ref in self.outbox and message.payload["status"] == "ok":
            self.confirmed(message.ref, answer)

    async def transmit(self, key):
        self.status(key, "sending")
        room, text = self.outbox[key]
        try:
            await self.push("new_msg", key, {"room": room, "key": key, "body": text})
        except (AttributeError, KeyError, OSError, exceptions.PHXConnectionError):  # no connection
            self.status(key, "queued")

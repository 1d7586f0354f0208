"""A small chat client on the PyPI package `websockets`, with its reconnect iterator and an outbox in memory."""

import asyncio
import json
import ssl
import uuid

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


class Chat:
    def __init__(self, url, key, report, authority=None):
        self.url, self.key, self.report = url, key, report
        self.tls = ssl.create_default_context(cafile=authority) if authority else None
        self.session = None  # the session to resume
        self.last_seq = None  # the highest seq received
        self.outbox = {}  # client_message_id -> unconfirmed message
        self.shown = {}  # the messages shown, by id, so that each is shown once
        self.socket = None  # the connection, after the server has accepted the login

    async def run(self):
        self.report("state", value="connecting")
        async for socket in connect(self.url, ssl=self.tls):
            try:
                await self.talk(socket)
            except ConnectionClosed:
                pass
            finally:
                self.socket = None
            self.report("state", value="reconnecting")

    async def talk(self, socket):
        async for text in socket:
            frame = json.loads(text)
            kind = frame["type"]
            if kind == "hello":
                login = {"type": "connect", "api_key": self.key}
                if self.session:
                    login["session_id"] = self.session
                await socket.send(json.dumps(login))
            elif kind == "connected":
                self.session, self.socket = frame["session_id"], socket
                self.report("state", value="online")
                if self.last_seq is None:
                    self.last_seq = frame["last_seq"]
                else:
                    await socket.send(json.dumps({"type": "sync", "last_seq_seen": self.last_seq}))
                for message in list(self.outbox.values()):
                    await self.transmit(message)
            elif kind == "confirm":
                self.seen(frame["seq"])
                if self.outbox.pop(frame["client_message_id"], None):
                    self.report("status", client_message_id=frame["client_message_id"], value="delivered")
            elif kind == "error" and frame.get("client_message_id") in self.outbox:
                del self.outbox[frame["client_message_id"]]
                self.report("status", client_message_id=frame["client_message_id"], value="failed")
            elif kind == "message":
                await self.show(frame)
            elif kind == "replay":
                for message in frame["messages"]:
                    await self.show(message)

    async def show(self, message):
        self.seen(message["seq"])
        key = message.get("client_message_id") or message["message_id"]
        if key not in self.shown:
            self.shown[key] = message
            self.report("message", conversation=message["conversation_id"], id=key)
        await self.socket.send(json.dumps({"type": "message_ack", "message_id": message["message_id"]}))

    def seen(self, seq):
        self.last_seq = max(self.last_seq or 0, seq)

    def send(self, conversation, text):
        """Accepts a message from the user, to be sent now or on the next connection."""
        key = str(uuid.uuid4())
        self.outbox[key] = {
            "type": "send", "client_message_id": key, "conversation_id": conversation, "text": text,
        }
        self.shown[key] = self.outbox[key]
        return key

    async def transmit(self, message):
        self.report("status", client_message_id=message["client_message_id"], value="sending")
        try:
            if self.socket:
                await self.socket.send(json.dumps(message))
                return
        except ConnectionClosed:
            pass
        self.report("status", client_message_id=message["client_message_id"], value="queued")

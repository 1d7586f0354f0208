"""A small chat client on the PyPI package `websockets`: its own reconnect iterator, an outbox in memory."""

import asyncio
import json
import ssl
import uuid

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


class Chat:
    def __init__(self, url, key, tell, authority=None):
        self.url, self.key, self.tell = url, key, tell
        self.tls = ssl.create_default_context(cafile=authority) if authority else None
        self.session = None  # to be taken up again
        self.last_seq = None  # up to where everything was seen
        self.outbox = {}  # client_message_id -> what to send, until it is confirmed
        self.shown = {}  # message ids, each shown once
        self.socket = None  # only while the server has accepted us

    async def run(self):
        self.tell("state", value="connecting")
        async for socket in connect(self.url, ssl=self.tls):
            try:
                await self.talk(socket)
            except ConnectionClosed:
                pass
            finally:
                self.socket = None
            self.tell("state", value="reconnecting")

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
                self.tell("state", value="online")
                if self.last_seq is None:
                    self.last_seq = frame["last_seq"]
                else:
                    await socket.send(json.dumps({"type": "sync", "last_seq_seen": self.last_seq}))
                for message in list(self.outbox.values()):
                    await self.transmit(message)
            elif kind == "confirm":
                self.seen(frame["seq"])
                if self.outbox.pop(frame["client_message_id"], None):
                    self.tell("status", client_message_id=frame["client_message_id"], value="delivered")
            elif kind == "error" and frame.get("client_message_id") in self.outbox:
                del self.outbox[frame["client_message_id"]]
                self.tell("status", client_message_id=frame["client_message_id"], value="failed")
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
            self.tell("message", conversation=message["conversation_id"], id=key)
        await self.socket.send(json.dumps({"type": "message_ack", "message_id": message["message_id"]}))

    def seen(self, seq):
        self.last_seq = max(self.last_seq or 0, seq)

    def send(self, conversation, text):
        """Takes a message over from the user; it goes out now, or with the next connection."""
        key = str(uuid.uuid4())
        self.outbox[key] = {
            "type": "send", "client_message_id": key, "conversation_id": conversation, "text": text,
        }
        self.shown[key] = self.outbox[key]
        return key

    async def transmit(self, message):
        self.tell("status", client_message_id=message["client_message_id"], value="sending")
        try:
            if self.socket:
                await self.socket.send(json.dumps(message))
                return
        except ConnectionClosed:
            pass
        self.tell("status", client_message_id=message["client_message_id"], value="queued")

"""A chat client that speaks Squall's own protocol on plain WebSocket messages: the drivers of WebSocket libraries add the
connection."""

import json

import chat


class PlainChat(chat.Chat):
    def __init__(self, url, key, report):
        super().__init__(report)
        self.url, self.key = url, key
        self.session = None  # the session to resume
        self.socket_send = None  # sends a text, once the server has accepted the login

    async def received(self, text, send):
        """Takes a text of a connection; `send` is a coroutine function that sends one on it."""
        frame = json.loads(text)
        kind = frame["type"]
        if kind == "hello":
            session = {"session_id": self.session} if self.session else {}
            await send(json.dumps({"type": "connect", "api_key": self.key} | session))
        elif kind == "connected":
            self.session, self.socket_send = frame["session_id"], send
            await send(json.dumps({"type": "sync", "last_seq_seen": self.seen}))
        elif kind == "replay":
            await self.caught_up([await self.acknowledged(message, send) for message in frame["messages"]])
        elif kind == "message":
            self.show(await self.acknowledged(frame, send))
        elif kind == "confirm":
            self.confirmed(frame["client_message_id"], frame)

    async def acknowledged(self, message, send):
        await send(json.dumps({"type": "message_ack", "message_id": message["message_id"]}))
        key, identity, room = (message.get(name) for name in ("client_message_id", "message_id", "conversation_id"))
        return {"key": key, "id": identity, "room": room, "seq": message["seq"]}

    def closed(self):
        self.socket_send = None
        self.away()

    async def transmit(self, key):
        self.status(key, "sending" if self.socket_send else "queued")
        if self.socket_send:
            room, text = self.outbox[key]
            message = {"type": "send", "client_message_id": key, "conversation_id": room, "text": text}
            await self.socket_send(json.dumps(message))

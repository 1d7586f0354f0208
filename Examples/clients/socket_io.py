"""A chat client on the PyPI package `python-socketio`, which reconnects by itself; for the profile `socket-io`."""

import uuid

import socketio


class Chat:
    def __init__(self, url, key, report):
        self.origin, self.auth, self.report = "http" + url.removeprefix("ws"), {"token": key}, report
        self.seen = 0  # the highest seq received
        self.outbox = {}  # key -> unconfirmed message
        self.shown = set()
        self.early = []  # messages that arrived before the missed ones; None once those are shown
        self.sio = socketio.AsyncClient()
        self.sio.on("connect", self.connected)
        self.sio.on("disconnect", self.disconnected)
        self.sio.on("message", self.show)

    async def run(self):
        self.report("state", value="connecting")
        await self.sio.connect(self.origin, auth=self.auth, transports=["websocket"], retry=True)

    async def connected(self):
        missed, _ = await self.sio.call("missed", self.seen)
        missed, self.early = missed + self.early, None
        for message in missed:
            self.show(message)
        self.report("state", value="online")
        for key in list(self.outbox):
            await self.transmit(key)

    def disconnected(self, reason):
        self.early = []
        self.report("state", value="reconnecting")

    def show(self, message):
        if self.early is not None:
            return self.early.append(message)
        self.seen = max(self.seen, message["seq"])
        key = message.get("key") or message["id"]
        if key not in self.shown:
            self.shown.add(key)
            self.report("message", conversation=message["room"], id=key)

    def send(self, conversation, text):
        key = str(uuid.uuid4())
        self.shown.add(key)
        self.outbox[key] = {"room": conversation, "key": key, "text": text}
        return key

    async def transmit(self, key):
        self.report("status", client_message_id=key, value="sending")
        try:
            stored = await self.sio.call("message", self.outbox[key], timeout=10)
        except socketio.exceptions.SocketIOError:  # without a connection or an acknowledgement
            return self.report("status", client_message_id=key, value="queued")
        self.seen = max(self.seen, stored["seq"])
        if self.outbox.pop(key, None):
            self.report("status", client_message_id=key, value="delivered")

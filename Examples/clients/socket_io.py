"""A chat client on the PyPI package `python-socketio`, which reconnects by itself; for the profile `socket-io`."""

import chat
import socketio


class Chat(chat.Chat):
    transports = ["websocket"]

    def __init__(self, url, key, report):
        super().__init__(report)
        self.origin, self.auth = "http" + url.removeprefix("ws"), {"token": key}
        self.sio = socketio.AsyncClient()
        self.sio.on("connect", self.connected)
        self.sio.on("disconnect", lambda reason: self.away())
        self.sio.on("message", self.show)

    async def run(self):
        await self.sio.connect(self.origin, auth=self.auth, transports=self.transports, retry=True)

    async def connected(self):
        missed, _ = await self.sio.call("missed", self.seen)
        await self.caught_up(missed)

    async def close(self):
        await self.sio.shutdown()

    async def transmit(self, key):
        self.status(key, "sending")
        room, text = self.outbox[key]
        try:
            stored = await self.sio.call("message", {"room": room, "key": key, "text": text}, timeout=10)
        except socketio.exceptions.SocketIOError:  # without a connection or an acknowledgement
            return self.status(key, "queued")
        self.confirmed(key, stored)

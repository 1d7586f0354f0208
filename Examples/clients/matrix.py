"""A chat client on the PyPI package `matrix-nio`, whose `sync_forever` asks again by itself; for the profile `matrix`."""

import asyncio
import urllib.parse

import chat
import nio


class Chat(chat.Chat):
    def __init__(self, url, key, report):
        super().__init__(report)
        self.sending = asyncio.Lock()
        self.client = nio.AsyncClient(f"http://{urllib.parse.urlsplit(url).netloc}")
        self.client.restore_login("@app:squall", "SQUALL", key)
        self.client.add_event_callback(self.received, nio.RoomMessageText)
        self.client.add_response_callback(self.synced, nio.SyncResponse)

    async def run(self):
        await self.client.sync_forever(timeout=30_000)

    async def received(self, room, event):
        unsigned = event.source["unsigned"]
        message = {"key": unsigned.get("transaction_id"), "id": event.event_id[1:], "seq": unsigned["squall.order"]}
        self.show(message | {"room": room.room_id[1:].split(":")[0]})

    async def synced(self, response):
        # The library passes the events of the first response to `received` before it calls this method.
        if self.early is not None:
            await self.caught_up([])

    async def close(self):
        await self.client.close()

    async def transmit(self, key):
        self.status(key, "sending")
        # The library repeats a request until the server responds, so messages are sent one at a time to keep their
        # order.
        async with self.sending:
            room, text = self.outbox[key]
            content = {"msgtype": "m.text", "body": text}
            answer = await self.client.room_send(f"!{room}:squall", "m.room.message", content, tx_id=key)
        if isinstance(answer, nio.RoomSendResponse) and self.outbox.pop(key, None):
            self.status(key, "delivered")

"""The PyPI package `websockets`: its asyncio client, with the reconnect iterator and the keepalive it has by default."""

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from plain import PlainChat


class Chat(PlainChat):
    async def run(self):
        async for socket in connect(self.url):
            try:
                async for text in socket:
                    await self.received(text, socket.send)
            except ConnectionClosed:
                pass
            self.closed()

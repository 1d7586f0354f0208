"""The PyPI package `websocket-client`: run_forever with the reconnection and the pings that its documentation shows."""

import asyncio

import websocket

from plain import PlainChat


class Chat(PlainChat):
    async def run(self):
        loop = asyncio.get_running_loop()

        def later(coroutine):
            asyncio.run_coroutine_threadsafe(coroutine, loop)

        async def send(text):
            await asyncio.to_thread(app.send, text)

        self.app = app = websocket.WebSocketApp(
            self.url,
            on_message=lambda _, text: later(self.received(text, send)),
            on_close=lambda *_: loop.call_soon_threadsafe(self.closed),
        )
        await asyncio.to_thread(app.run_forever, reconnect=5, ping_interval=20, ping_timeout=10)

    async def close(self):
        await asyncio.to_thread(self.app.close)

"""A chat server for scenarios with `upstream`. It prints its port, and exits when its input ends.

With `forgetful` it stores a message that is sent again a second time.
"""

import asyncio
import json
import sys

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

FORGETFUL = "forgetful" in sys.argv
stored = []
sessions = 0


def store(frame):
    """The message's record, and whether it was there before."""
    for message in stored:
        if message["client_message_id"] == frame["client_message_id"] and not FORGETFUL:
            return message, True
    stored.append({
        "message_id": f"m-{len(stored) + 1}",
        "seq": len(stored) + 1,
        "conversation_id": frame["conversation_id"],
        "sender_id": "me",
        "text": frame["text"],
        "timestamp": "2026-03-01T12:30:45.250Z",
        "client_message_id": frame["client_message_id"],
    })
    return stored[-1], False


async def talk(socket):
    global sessions

    async def say(**frame):
        await socket.send(json.dumps(frame))

    try:
        await say(type="hello", version="0.2.0", auth_version=1)
        async for text in socket:
            frame = json.loads(text)
            if frame["type"] == "connect":
                sessions += 1
                await say(type="connected", session_id=f"s-{sessions}", resumed=False, last_seq=len(stored))
            elif frame["type"] == "ping":
                await say(type="pong", id=frame.get("id"))
            elif frame["type"] == "sync":
                missed = [message for message in stored if message["seq"] > frame["last_seq_seen"]]
                await say(type="replay", messages=missed, complete=True, last_seq=len(stored))
            elif frame["type"] == "send":
                message, duplicate = store(frame)
                # The delay allows a scenario to break the connection before the answer is sent.
                await asyncio.sleep(0.3)
                fields = {name: message[name] for name in ("client_message_id", "message_id", "seq", "timestamp")}
                await say(type="confirm", duplicate=duplicate, **fields)
    except ConnectionClosed:
        pass


async def main():
    async with serve(talk, "127.0.0.1", 0) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.to_thread(sys.stdin.read)


asyncio.run(main())

"""The adapter by which Squall judges chat.py: commands on standard input, answers and events on standard output."""

import asyncio
import json
import sys

from chat import Chat
from virtual_time import VirtualTimeLoop


def write(message):
    print(json.dumps(message), flush=True)


def report(event, **fields):
    write({"event": event, **fields})


def ended(task):
    running.discard(task)
    if not task.cancelled() and task.exception():
        report("log", text=f"ended by {task.exception()!r}")


running = set()


async def main():
    lines = asyncio.StreamReader(limit=1 << 20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    chat = None
    while line := await lines.readline():
        command = json.loads(line)
        kind, work, reply = command["type"], None, {"in_reply_to": command["id"], "type": "ok"}
        if kind == "init":
            chat = Chat(command["ws_url"], command["key"], report, command.get("ca_file"))
            reply |= {
                "type": "init_ok", "name": "python-websockets",
                "shows": ["connection.state", "message.status", "conversation.messages"],
                "takes": ["send"], "tls": True, "clock": "virtual",
                "states": {"connecting": "connecting", "online": "connected", "reconnecting": "reconnecting"},
            }
        elif kind == "advance":
            asyncio.get_running_loop().advance(command["now"], lambda next, reply=reply: write(reply | {"next": next}))
            continue
        elif kind == "start":
            work = chat.run()
        elif kind == "send":
            key = chat.send(command["conversation"], command["text"])
            report("message", conversation=command["conversation"], client_message_id=key)
            work = chat.transmit(chat.outbox[key])
            reply["client_message_id"] = key
        else:
            reply |= {"type": "error", "code": "not_supported", "definite": True}
        write(reply)
        if work:
            task = asyncio.create_task(work)
            running.add(task)
            task.add_done_callback(ended)


with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
    runner.run(main())

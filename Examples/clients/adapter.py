"""The adapter by which Squall judges the clients in this folder: `python adapter.py NAME` loads NAME.py.

With `virtual` as a second argument, Squall drives the clock of a client whose timers are all asyncio's.
"""

import asyncio
import importlib
import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "python-websockets"))
from virtual_time import VirtualTimeLoop


def write(message):
    print(json.dumps(message), flush=True)


def report(event, **fields):
    write({"event": event, **fields})


def ended(task):
    running.discard(task)
    if not task.cancelled() and task.exception():
        report("log", text=f"ended by {task.exception()!r}")


async def leave(chat):
    # If the library does not close its connection, Squall observes that on the network.
    report("state", value="closed")
    chat.report = lambda *_, **__: None
    await chat.close()


running = set()


async def main(name, clock="wall"):
    lines = asyncio.StreamReader(limit=1 << 20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    chat = place = None
    # The library is imported in the background: when fifty clients start together on a busy machine, the import may
    # take longer than the time limit for a command.
    driver = asyncio.create_task(asyncio.to_thread(importlib.import_module, name))

    async def run():
        nonlocal chat
        await driver
        # The clients of a crowd start half a second apart, so that timers that run from their start differ.
        number = place["client"].partition("-")[2]
        await asyncio.sleep(int(number) % 10 / 2 if number.isdigit() else 0)
        chat = (await driver).Chat(place["ws_url"], place["key"], report)
        await chat.run()

    while line := await lines.readline():
        command = json.loads(line)
        kind, work, reply = command["type"], None, {"in_reply_to": command["id"], "type": "ok"}
        if kind == "init":
            place = command
            if command["clock"] == "virtual":
                await driver  # the loop does not notice the other thread
            reply |= {
                "type": "init_ok", "name": name, "clock": clock,
                "shows": ["connection.state", "message.status", "conversation.messages"],
                "takes": ["send", "disconnect"],
                "states": {
                    "connecting": "connecting", "online": "connected", "reconnecting": "reconnecting", "closed": "offline",
                },
            }
        elif kind == "advance":
            asyncio.get_running_loop().advance(command["now"], lambda next, reply=reply: write(reply | {"next": next}))
            continue
        elif kind == "start":
            work = run()
        elif kind == "send":
            key = chat.send(command["conversation"], command["text"])
            report("message", conversation=command["conversation"], client_message_id=key)
            work = chat.transmit(key)
            reply["client_message_id"] = key
        elif kind == "disconnect":
            for task in list(running):
                task.cancel()
            work = leave(chat)
        else:
            reply |= {"type": "error", "code": "not_supported", "definite": True}
        write(reply)
        if work:
            task = asyncio.create_task(work)
            running.add(task)
            task.add_done_callback(ended)


with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
    runner.run(main(*sys.argv[1:]))

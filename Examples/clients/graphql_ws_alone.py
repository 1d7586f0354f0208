"""Shows without Squall what the report card found in gql: ten sessions that lose their connections together come back together;
and prints the requests of a session that was closed while it waited to connect again. Run it with
.build/clients/graphql_ws/bin/python; it takes a minute."""

import asyncio
import time

from gql import Client, gql
from gql.transport.exceptions import TransportError
from gql.transport.websockets import WebsocketsTransport
from websockets.asyncio.server import serve

arrivals, sockets, tasks = [], [], []
refusing = False


async def arrived(connection, request):
    arrivals.append(time.monotonic())
    if refusing:
        return connection.respond(503, "")


async def acknowledge(socket):
    await asyncio.sleep(0.1)  # until connection_init has arrived
    await socket.send('{"type":"connection_ack"}')
    sockets.append(socket)
    await socket.wait_closed()


async def start(url):
    client = Client(transport=WebsocketsTransport(url))
    session = await client.connect_async(reconnecting=True)
    tasks.append(asyncio.create_task(subscribe(session)))
    return client


async def subscribe(session):
    """A session learns of a loss by its subscription, which the application begins again, as its documentation shows."""
    while True:
        try:
            async for _ in session.subscribe(gql("subscription { message }")):
                pass
        except (TransportError, OSError):
            pass
        await asyncio.sleep(0.5)


def drop():
    arrivals.clear()
    for socket in sockets:
        socket.transport.abort()
    sockets.clear()
    return time.monotonic()


async def main():
    global refusing
    options = {"process_request": arrived, "subprotocols": ["graphql-transport-ws"]}
    async with serve(acknowledge, "127.0.0.1", 0, **options) as server:
        url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        clients = []
        for _ in range(10):
            clients.append(await start(url))
            await asyncio.sleep(0.5)
        lost = drop()
        await asyncio.sleep(8)
        print("back after", ", ".join(f"{(moment - lost) * 1000:.0f} ms" for moment in arrivals))
        refusing = True
        drop()
        # The sessions are closed at different moments of their waits.
        closed = {}
        for number, client in enumerate(clients):
            await asyncio.sleep(0.3)
            tasks[number].cancel()
            task = asyncio.create_task(client.close_async())
            closed[number] = task, time.monotonic()
        await asyncio.sleep(3)
        print("close_async() has returned for", sum(task.done() for task, _ in closed.values()), "of 10")
        refusing, last = False, time.monotonic()
        arrivals.clear()
        await asyncio.sleep(20)
        print("requests after all were closed:", ", ".join(f"{moment - last:.1f} s" for moment in arrivals) or "none")


asyncio.run(main())

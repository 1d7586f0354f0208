"""A chat client on the PyPI package `gql`, whose session reconnects by itself; for the profile `graphql-transport-ws`."""

import asyncio

import chat
from gql import Client, GraphQLRequest
from gql.transport.exceptions import TransportError
from gql.transport.websockets import WebsocketsTransport

SEND = "mutation Send($room: ID!, $key: ID, $text: String!) { send(room: $room, key: $key, text: $text) }"
MISSED = "query Missed($after: Int!) { missed(after: $after) }"
MESSAGES = "subscription Messages { message }"


def request(document, name, **variables):
    return GraphQLRequest(document, operation_name=name, variable_values=variables)


class Chat(chat.Chat):
    def __init__(self, url, key, report):
        super().__init__(report)
        transport = WebsocketsTransport(url, init_payload={"token": key}, ping_interval=25, pong_timeout=15)
        self.client = Client(transport=transport)
        self.session = None

    async def run(self):
        self.session = await self.client.connect_async(reconnecting=True)
        while True:
            catching_up = asyncio.create_task(self.catch_up())
            try:
                async for answer in self.session.subscribe(request(MESSAGES, "Messages")):
                    self.show(answer["message"])
            except (TransportError, OSError):
                pass
            catching_up.cancel()
            self.away()
            await asyncio.sleep(0.5)

    async def catch_up(self):
        answer = await self.session.execute(request(MISSED, "Missed", after=self.seen))
        await self.caught_up(answer["missed"]["messages"])

    async def close(self):
        await self.client.close_async()

    async def transmit(self, key):
        self.status(key, "sending")
        room, text = self.outbox[key]
        try:
            answer = await self.session.execute(request(SEND, "Send", room=room, key=key, text=text))
        except (AttributeError, TransportError, OSError):  # no connection
            return self.status(key, "queued")
        self.confirmed(key, answer["send"])

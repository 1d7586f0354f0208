"""A chat client on the PyPI package `paho-mqtt`, which connects again by itself; for the profile `mqtt`."""

import asyncio
import json
import urllib.parse

import chat
import paho.mqtt.client as mqtt


class Chat(chat.Chat):
    protocol, quality = mqtt.MQTTv311, 1

    def __init__(self, url, key, report):
        super().__init__(report)
        self.address, self.sent = urllib.parse.urlsplit(url), {}
        version = mqtt.CallbackAPIVersion.VERSION2
        self.mqtt = mqtt.Client(version, transport="websockets", protocol=self.protocol, **self.session())
        self.mqtt.ws_set_options(path=self.address.path)
        self.mqtt.username_pw_set("squall", key)
        self.mqtt.on_connect = self.later(self.connected)
        self.mqtt.on_disconnect = self.later(lambda *_: self.away())
        self.mqtt.on_message = self.later(lambda _, __, message: self.received(message.topic, json.loads(message.payload)))
        self.mqtt.on_publish = self.later(lambda _, __, number, *___: self.stored(number))

    def session(self):
        return {}  # the library's options for a session: by default it ends with its connection

    async def run(self):
        self.mqtt.connect_async(self.address.hostname, self.address.port, keepalive=20)
        self.mqtt.loop_start()

    def connected(self, client, userdata, flags, reason, properties):
        if flags.session_present:  # the broker has the subscription, and sends what was missed
            return self.caught_up([])
        if not reason.is_failure:  # the application subscribes on each connection, as the documentation shows
            client.subscribe("chat/#", qos=self.quality)
            client.publish("app/missed", json.dumps({"after": self.seen}))

    def received(self, topic, payload):
        if topic == "chat/missed":
            return self.caught_up(payload["messages"])
        if topic.startswith("chat/rooms/"):
            self.show(payload | {"room": topic.removeprefix("chat/rooms/")})

    async def transmit(self, key):
        """Gives a message to the library once: it sends the message again on the next connection by itself."""
        if key not in self.sent.values():
            room, text = self.outbox[key]
            self.status(key, "sending")
            text = json.dumps({"key": key, "text": text})
            self.sent[self.mqtt.publish(f"app/rooms/{room}", text, qos=self.quality).mid] = key

    def stored(self, number):
        if number in self.sent:
            self.confirmed(self.sent[number], {"seq": self.seen})

    async def close(self):
        self.mqtt.disconnect()
        await asyncio.to_thread(self.mqtt.loop_stop)

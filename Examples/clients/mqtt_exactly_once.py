"""The client of `mqtt_paho` with quality of service 2 and a session that outlives the connection: the broker keeps the
subscription, and the messages that come while the client is away."""

import uuid

import mqtt_paho


class Chat(mqtt_paho.Chat):
    quality = 2

    def session(self):
        return {"client_id": f"squall-{uuid.uuid4().hex[:12]}", "clean_session": False}

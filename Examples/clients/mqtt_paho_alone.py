"""Shows without Squall what the report card found in paho-mqtt: ten clients come back together, and Retry-After is not read;
and that it answers a WebSocket ping and close with frames that are not masked, after which a server must close the connection
(RFC 6455, section 5.1). Run it with .build/clients/mqtt_paho/bin/python; it takes half a minute."""

import base64
import hashlib
import socket
import threading
import time

import paho.mqtt.client as mqtt


class Server(threading.Thread):
    """Accepts connections; `answer` is called with each, after its upgrade request, on a thread of its own."""

    def __init__(self, answer):
        super().__init__(daemon=True)
        self.listener, self.answer, self.arrivals = socket.create_server(("127.0.0.1", 0)), answer, []
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        while True:
            threading.Thread(target=self.serve, args=[self.listener.accept()[0]], daemon=True).start()

    def serve(self, connection):
        request = b""
        while not request.endswith(b"\r\n\r\n"):
            request += connection.recv(1024)
        self.arrivals.append(time.monotonic())
        self.answer(connection, request.decode())


def accept(connection, request):
    """Completes the handshake and accepts the login; whether the client's frame was masked."""
    key = next(line.split(": ")[1] for line in request.split("\r\n") if line.lower().startswith("sec-websocket-key"))
    proof = base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()).decode()
    connection.send(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    f"Sec-WebSocket-Accept: {proof}\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n".encode())
    masked = frame(connection)
    connection.send(b"\x82\x04\x20\x02\x00\x00")
    return masked


def frame(connection):
    """Whether the next frame of the client is masked."""
    length = connection.recv(2)[1]
    connection.recv((length & 0x7F) + (4 if length & 0x80 else 0))
    return bool(length & 0x80)


def examine(connection, request):
    masked = {"CONNECT": accept(connection, request)}
    connection.send(b"\x89\x04ping")
    masked["pong"] = frame(connection)
    connection.send(b"\x88\x02\x03\xe9")
    masked["close"] = frame(connection)
    print("masked:", masked)


def drop(connection, request):
    accept(connection, request)
    time.sleep(max(0, dropped - time.monotonic()))
    connection.close()


def refuse(connection, request):
    connection.send(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    connection.close()


def play(answer, clients, seconds):
    server = Server(answer)
    started = [mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, transport="websockets") for _ in range(clients)]
    for client in started:
        client.connect_async("127.0.0.1", server.port)
        client.loop_start()
    time.sleep(seconds)
    for client in started:
        client.disconnect()
    return server.arrivals


play(examine, clients=1, seconds=1)
dropped = time.monotonic() + 3
back = play(drop, clients=10, seconds=4.8)[10:20]
print("back after", ", ".join(f"{(moment - dropped) * 1000:.0f} ms" for moment in back))
refused = play(refuse, clients=1, seconds=17)
print("seconds between requests:", [round(b - a, 1) for a, b in zip(refused, refused[1:])])

"""Shows without Squall that Pysher connects once more after disconnect(), if it was waiting for its next attempt. Run it with
.build/clients/pusher/bin/python."""

import socket
import threading
import time

import pysher

server, arrivals = socket.create_server(("127.0.0.1", 0)), []


def refuse():
    while True:
        server.accept()[0].close()
        arrivals.append(time.monotonic())


threading.Thread(target=refuse, daemon=True).start()
port = server.getsockname()[1]
pusher = pysher.Pusher("app", custom_host="127.0.0.1", port=port, secure=False, reconnect_interval=5)
pusher.connect()
time.sleep(2)
closed = time.monotonic()
pusher.disconnect(timeout=0)
time.sleep(12)
print("connections after disconnect():", [f"{time - closed:.1f} s" for time in arrivals if time > closed])

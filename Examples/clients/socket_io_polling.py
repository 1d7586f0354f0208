"""The chat client of `socket_io.py` with the transports that `python-socketio` has by default: it begins by polling over HTTP, and
goes over to a WebSocket if it can."""

import socket_io


class Chat(socket_io.Chat):
    transports = None

"""Echoes with PyPI's wsproto on a port of its own, which it prints: wsproto_server.py."""
import socket
import socketserver

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Message, Ping, Request
from wsproto.extensions import PerMessageDeflate
from wsproto.utilities import LocalProtocolError, RemoteProtocolError


class Echo(socketserver.BaseRequestHandler):
    def handle(self):
        connection = WSConnection(ConnectionType.SERVER)
        parts = []
        self.request.settimeout(60)
        while True:
            try:
                data = self.request.recv(65536)
            except OSError:
                return
            try:
                connection.receive_data(data or None)
                for event in connection.events():
                    if isinstance(event, Request):
                        self.send(connection, AcceptConnection(extensions=[PerMessageDeflate()]))
                    elif isinstance(event, Ping):
                        self.send(connection, event.response())
                    elif isinstance(event, Message):
                        parts.append(event.data)
                        if event.message_finished:
                            joined = (b"" if isinstance(event.data, (bytes, bytearray)) else "").join(parts)
                            parts = []
                            self.send(connection, Message(data=joined))
                    elif isinstance(event, CloseConnection):
                        if connection.state.name == "REMOTE_CLOSING":
                            self.send(connection, event.response())
                        return
            except RemoteProtocolError as error:
                if error.event_hint is not None:
                    self.send(connection, error.event_hint)
                return
            except (LocalProtocolError, OSError):
                return
            if not data:
                return

    def send(self, connection, event):
        self.request.sendall(connection.send(event))


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def get_request(self):
        request, address = super().get_request()
        request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return request, address


with Server(("127.0.0.1", 0), Echo) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()

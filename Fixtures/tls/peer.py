"""A TLS peer of Python's own: says in one line of JSON how a connection to a server went.

usage: peer.py PORT NAME CA [TEXT]    connects, sends TEXT if given, and tells what came back until the end
       peer.py serve CERT KEY         prints its port; answers each connection's bytes with the same bytes
"""
import json
import socket
import ssl
import sys
import threading


def connect(port, name, authority, text):
    context = ssl.create_default_context(cafile=authority)
    outcome = {"verify": None, "error": None, "received": None}
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as plain:
            with context.wrap_socket(plain, server_hostname=name, suppress_ragged_eofs=False) as secured:
                outcome["version"] = secured.version()
                received = b""
                if text is not None:
                    secured.sendall(text.encode().decode("unicode_escape").encode("latin-1"))
                    while True:
                        piece = secured.recv(65536)
                        if not piece:
                            break
                        received += piece
                outcome["received"] = received.decode("latin-1")
    except ssl.SSLCertVerificationError as error:
        outcome["verify"] = error.verify_code
    except ssl.SSLError as error:
        outcome["error"] = error.reason
    except OSError as error:
        outcome["error"] = type(error).__name__
    print(json.dumps(outcome))


def answer(connection):
    try:
        with connection:
            while piece := connection.recv(65536):
                connection.sendall(piece)
            connection.unwrap()
    except OSError:
        pass


def serve(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def session(plain):
        try:
            answer(context.wrap_socket(plain, server_side=True))
        except OSError:
            pass

    while True:
        plain, _ = listener.accept()
        threading.Thread(target=session, args=(plain,), daemon=True).start()


if sys.argv[1] == "serve":
    serve(sys.argv[2], sys.argv[3])
else:
    connect(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4] if len(sys.argv) > 4 else None)

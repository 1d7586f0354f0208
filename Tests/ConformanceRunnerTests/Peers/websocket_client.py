"""Plays the cases of a conformance server with PyPI's websocket-client: websocket_client.py URL AGENT."""
import sys

import websocket

URL, AGENT = sys.argv[1], sys.argv[2]


def play(number):
    connection = None
    try:
        connection = websocket.create_connection(f"{URL}/runCase?case={number}&agent={AGENT}", timeout=30)
        while True:
            opcode, data = connection.recv_data()
            if opcode == websocket.ABNF.OPCODE_CLOSE:
                break
            if opcode in (websocket.ABNF.OPCODE_TEXT, websocket.ABNF.OPCODE_BINARY):
                connection.send(data, opcode)
    except websocket.WebSocketPayloadException:
        connection.close(status=1007)
        return
    except websocket.WebSocketProtocolException:
        connection.close(status=1002)
        return
    except (websocket.WebSocketException, OSError, ValueError):
        pass
    if connection:
        connection.close()


def main():
    connection = websocket.create_connection(f"{URL}/getCaseCount", timeout=30)
    count = int(connection.recv())
    connection.close()
    for number in range(1, count + 1):
        play(number)
    websocket.create_connection(f"{URL}/updateReports?agent={AGENT}", timeout=60).close()


main()

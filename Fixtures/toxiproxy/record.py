"""Plays the requests of api.transcript against a server of Toxiproxy's API and prints what it answered, as api.transcript keeps it: beside Toxiproxy's own answer (<) stands Squall's where it differs (<<).

    python3 record.py HOST:PORT < api.transcript
"""
import http.client, re, socket, sys


def free_ports(names):
    held = {}
    for name in names:
        held[name] = socket.socket()
        held[name].bind(("127.0.0.1", 0))
    ports = {name: str(each.getsockname()[1]) for name, each in held.items()}
    for each in held.values():
        each.close()
    return ports


def blocks(text):
    for block in re.split(r"\n\s*\n", text.strip()):
        yield block.split("\n")


host = sys.argv[1]
ports = free_ports(["a", "b", "c", "up"])
for lines in blocks(sys.stdin.read()):
    lines = [line for line in lines if not line.startswith("<")]
    if lines[0].startswith("#"):
        print("\n".join(lines) + "\n")
        continue
    method, path = lines[0].split(" ")
    body, headers = None, {"User-Agent": "transcript"}
    for line in lines[1:]:
        if re.match(r"^[A-Z][A-Za-z-]*: ", line):
            name, value = line.split(": ", 1)
            headers[name] = value
        else:
            body = line
    sent = re.sub(r"\$\{(\w+)\}", lambda found: ports[found[1]], body) if body else None
    connection = http.client.HTTPConnection(host, timeout=10)
    connection.request(method, path, sent, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    for name, port in ports.items():
        text = text.replace(f":{port}", f":${{{name}}}")
    text = text.replace('"Logger":{},', "")
    text = re.sub(r"127\.0\.0\.1:(?!1\")\d+", "127.0.0.1:<any>", text)
    text = text.replace("\n", "\\n")
    kind = answer.getheader("Content-Type") or "-"
    marks = " numbered" if answer.getheader("X-Toxiproxy-Request-Id") else ""
    marks += " nosniff" if answer.getheader("X-Content-Type-Options") else ""
    print("\n".join(lines))
    print(f"< {answer.status} {kind}{marks}")
    print(f"< {text}" if text else "<")
    print()
    connection.close()

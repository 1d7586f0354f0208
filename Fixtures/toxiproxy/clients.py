"""Drives a server of Toxiproxy's API by the client libraries that people have, and says `ok` where all went as it should.

    python3 clients.py HOST PORT UPSTREAM-PORT
"""
import os, socket, sys, time

host, port, upstream = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def call(address):
    listen = address.rsplit(":", 1)
    peer = socket.create_connection((host, int(listen[1])), timeout=10)
    began = time.monotonic()
    peer.sendall(b"ping")
    answer = b""
    while len(answer) < 4:
        more = peer.recv(4)
        if not more:
            break
        answer += more
    peer.close()
    return answer, time.monotonic() - began


def toxiproxy_python():
    from toxiproxy import Toxiproxy
    from toxiproxy.exceptions import InvalidToxic, NotFound, ProxyExists

    server = Toxiproxy()
    server.update_api_consumer(host, port)
    assert server.running()
    assert b"version" in server.version()
    proxy = server.create(upstream=f"127.0.0.1:{upstream}", name="python")
    assert proxy.enabled and server.get_proxy("python").listen == proxy.listen
    try:
        server.create(upstream=f"127.0.0.1:{upstream}", name="python")
        raise AssertionError("made twice")
    except ProxyExists:
        pass
    assert call(proxy.listen)[0] == b"ping"
    proxy.add_toxic(type="latency", attributes={"latency": 100, "jitter": 0})
    proxy.add_toxic(name="narrow", type="bandwidth", stream="upstream", toxicity=0.5, attributes={"rate": 1})
    assert set(proxy.toxics()) == {"latency_downstream", "narrow"}
    toxic = proxy.get_toxic("narrow")
    assert toxic.stream == "upstream" and toxic.toxicity == 0.5 and toxic.attributes["rate"] == 1
    proxy.destroy_toxic("narrow")
    answer, seconds = call(proxy.listen)
    assert answer == b"ping" and 0.1 <= seconds < 1, seconds
    for wrong in [lambda: proxy.add_toxic(type="nonsense"), lambda: proxy.add_toxic(type="latency", stream="sideways")]:
        try:
            wrong()
            raise AssertionError("taken")
        except InvalidToxic:
            pass
    try:
        proxy.destroy_toxic("none")
        raise AssertionError("found")
    except NotFound:
        pass
    with proxy.down():
        try:
            call(proxy.listen)
            raise AssertionError("not down")
        except ConnectionRefusedError:
            pass
    assert call(proxy.listen)[0] == b"ping"
    server.reset()
    assert proxy.toxics() == {}
    made = server.populate([{"name": "more", "upstream": f"127.0.0.1:{upstream}", "listen": "127.0.0.1:0"}])
    assert [each.name for each in made] == ["more"]
    server.destroy_all()
    assert server.proxies() == {}


def chaostoolkit_toxiproxy():
    from chaostoxi.proxy import actions, probes
    from chaostoxi.toxic import actions as toxics

    configuration = {"toxiproxy_host": host, "toxiproxy_port": port}
    assert actions.create_proxy("chaos", "127.0.0.1", upstream, "127.0.0.1", 0, configuration=configuration)
    assert probes.proxy_exist("chaos", configuration)
    listen = f"127.0.0.1:{os.environ['chaos_PORT']}"
    assert call(listen)[0] == b"ping"
    made = [
        toxics.create_latency_toxic("chaos", "l", 10, 5, configuration),
        toxics.create_bandwith_degradation_toxic("chaos", "b", 1000, configuration),
        toxics.create_slow_connection_close_toxic("chaos", "c", 10, configuration),
        toxics.create_slicer_toxic("chaos", "s", 100, 10, 5, configuration),
        toxics.create_limiter_toxic("chaos", "d", 100000, configuration),
    ]
    assert all(made), made
    assert call(listen)[0] == b"ping"
    assert toxics.create_timeout_toxic("chaos", "t", 100, configuration)
    assert call(listen)[0] == b""
    assert toxics.delete_toxic("chaos", "t", configuration)
    assert actions.disable_proxy("chaos", configuration)
    assert probes.get_proxy_attribute("chaos", "enabled", configuration) is False
    assert actions.enable_proxy("chaos", configuration)
    actions.reset(configuration)
    actions.delete_proxy("chaos", configuration)
    assert not probes.proxy_exist("chaos", configuration)


toxiproxy_python()
chaostoolkit_toxiproxy()
print("ok")

"""Judges the chat in a headless Chromium: serves the page, starts Squall, and opens the page at the URL that it writes.

    python3 Examples/web-chat/run.py .build/debug/squall Scenarios --tag wall

The first argument is Squall's executable; the others are passed to `squall run`. The status is Squall's.
"""

import functools
import http.server
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]


class Files(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".js": "text/javascript", ".html": "text/html"}

    def log_message(self, *arguments):
        pass


def serve(folder):
    """Serves a folder on loopback and returns its URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def control_url(file, squall):
    """The control port's URL; None if Squall has ended without one."""
    while squall.poll() is None:
        if os.path.exists(file):
            with open(file) as text:
                return text.read().strip()
        time.sleep(0.02)
    return None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        sys.exit(f"no browser: install one of {', '.join(BROWSERS)}")
    page = serve(os.path.dirname(os.path.abspath(__file__)))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        file = os.path.join(scratch, "control")
        squall = subprocess.Popen([sys.argv[1], "run", *sys.argv[2:], "--client", "http", "--control-file", file])
        # Ctrl-C also reaches Squall, which then ends normally; this script exits with Squall's status.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: squall.terminate())
        chromium = None
        url = control_url(file, squall)
        if url:
            chromium = subprocess.Popen(
                [
                    browser, "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                    "--disable-component-update", f"--user-data-dir={scratch}/profile", "--remote-debugging-port=0",
                    *(["--no-sandbox"] if os.geteuid() == 0 else []),
                    f"{page}?squall={urllib.parse.quote(url, safe='')}",
                ],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
        status = squall.wait()
        if chromium:
            chromium.terminate()
            chromium.wait()
    sys.exit(status if status >= 0 else 128 - status)


main()

"""A real nginx with deploy/nginx.conf in front of a real server: TLS, sockets, addresses, a restart under load."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from pontoon.client.connection import Connection
from pontoon.client.http import Client
from pontoon.store import open_store
from pontoon.store.model import entries_after
from tests.deploy.test_files import lines

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")]
CONF = Path(__file__).resolve().parents[2] / "deploy" / "nginx.conf"
PATIENCE = 60.0


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


class Site:
    """A server behind a proxy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.behind, self.tls, self.plain = free_port(), free_port(), free_port()
        self.url = f"https://localhost:{self.tls}"
        self.server: subprocess.Popen[bytes] | None = None

    def serve(self) -> None:
        """Start the server, and wait until it is ready."""
        command = [
            sys.executable,
            "-m",
            "pontoon",
            "serve",
            "--port",
            str(self.behind),
            "--data",
            str(self.folder / "data"),
        ]
        with (self.folder / "server.log").open("ab") as log:
            self.server = subprocess.Popen(command, stdout=log, stderr=log)
        until = time.monotonic() + PATIENCE
        while True:
            with suppress(httpx.TransportError):
                if httpx.get(f"http://127.0.0.1:{self.behind}/ready").status_code == 200:
                    return
            assert time.monotonic() < until, (self.folder / "server.log").read_text("utf-8")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop the server as an operator does."""
        assert self.server is not None
        self.server.send_signal(signal.SIGTERM)
        assert self.server.wait(15) == 0

    @property
    def context(self) -> ssl.SSLContext:
        """What trusts the certificate."""
        return ssl.create_default_context(cafile=self.folder / "cert.pem")

    def certificate(self) -> str:
        """A certificate for localhost, made now."""
        cert, key = str(self.folder / "cert.pem"), str(self.folder / "key.pem")
        asked = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
        asked += ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert]
        subprocess.run(asked, check=True, capture_output=True)
        return cert

    @contextmanager
    def proxy(self) -> Iterator[None]:
        """Our file, with the ports and files of this test."""
        live = "/etc/letsencrypt/live/pontoon.example/"
        rules = CONF.read_text("utf-8").replace("listen 443", f"listen 127.0.0.1:{self.tls}")
        rules = rules.replace("listen 80", f"listen 127.0.0.1:{self.plain}").replace("pontoon.example;", "localhost;")
        rules = rules.replace(f"{live}fullchain.pem", str(self.folder / "cert.pem"))
        rules = rules.replace(f"{live}privkey.pem", str(self.folder / "key.pem"))
        rules = rules.replace("127.0.0.1:8048", f"127.0.0.1:{self.behind}")
        rules = rules.replace("https://$host$", f"https://$host:{self.tls}$")
        head = f"pid {self.folder}/nginx.pid;\nerror_log {self.folder}/nginx.log;\nevents {{}}\n"
        whole = f"{head}http {{ access_log off;\n{rules}}}\n"
        file = self.folder / "nginx.conf"
        file.write_text(whole, "utf-8")
        command = ["nginx", "-p", str(self.folder), "-c", str(file), "-g", "daemon off;"]
        running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + PATIENCE
            while True:
                try:
                    socket.create_connection(("127.0.0.1", self.tls), 1).close()
                    break
                except OSError:
                    assert running.poll() is None, (self.folder / "nginx.log").read_text("utf-8")
                    assert time.monotonic() < until
                    time.sleep(0.05)
            yield
        finally:
            running.terminate()
            running.wait(10)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    tmp_path.chmod(0o755)
    made = Site(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", made.certificate())
    made.serve()
    with made.proxy():
        yield made
    if made.server is not None and made.server.poll() is None:
        made.stop()


def test_pages_come_over_tls_and_the_operators_numbers_stay_inside(site: Site):
    with httpx.Client(verify=site.context, follow_redirects=True) as web:
        page = web.get(f"http://localhost:{site.plain}/")
        assert (page.status_code, page.url.scheme) == (200, "https")
        assert "Pontoon" in page.text
        assert page.headers["strict-transport-security"]
        assert web.get(f"{site.url}/metrics").status_code == 403
        assert web.get(f"{site.url}/ready").status_code == 200


def test_limits_go_by_the_address_that_the_proxy_saw(site: Site):
    """A client that invents an X-Forwarded-For of its own is limited all the same."""
    answers: list[int] = []
    with httpx.Client(verify=site.context) as web:
        while len(answers) < 200 and answers[-1:] != [429]:
            invented = {"X-Forwarded-For": f"10.0.0.{len(answers)}"}
            answers.append(web.post(f"{site.url}/api/guests", json={"name": "Guest"}, headers=invented).status_code)
    assert answers[0] == 201
    assert answers[-1] == 429


@pytest.mark.asyncio
async def test_a_restart_loses_no_command(site: Site):
    client = Client(site.url)
    client.sign_in("Ann")
    table = client.make_table(
        rulebook="star", clocks={"card": 0, "wagers": 600_000, "decision": 600_000, "offer": 600_000}
    )
    connection = Connection(client, table)
    await connection.start()
    acknowledged: list[int] = []
    stopped = asyncio.Event()

    async def ask() -> None:
        box = 0
        while not stopped.is_set():
            box = box % 7 + 1
            for command in ({"type": "Sit", "player": "", "box": box}, {"type": "Leave", "player": ""}):
                answer = await asyncio.wait_for(connection.do(command), PATIENCE)
                if isinstance(answer, int):
                    acknowledged.append(answer)
            await asyncio.sleep(0.1)

    asking = asyncio.create_task(ask())
    for _ in range(2):
        await asyncio.sleep(2)
        before = len(acknowledged)
        await asyncio.to_thread(site.stop)
        await asyncio.to_thread(site.serve)
        while len(acknowledged) <= before:  # noqa: ASYNC110 a test may look often
            await asyncio.sleep(0.05)
    stopped.set()
    await asking
    await connection.close()
    assert connection.lost >= 2
    site.stop()
    store = open_store(str(site.folder / "data" / "pontoon.db"), read_only=True)
    versions = {entry.version for entry in entries_after(store, f"table/{table}") if entry.key}
    store.close()
    assert len(acknowledged) > 20
    assert len(set(acknowledged)) == len(acknowledged), "no command had two effects"
    assert set(acknowledged) <= versions


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can make a file system read-only")
def test_what_the_container_runs_works_on_a_read_only_system_without_capabilities(tmp_path: Path):
    """The entry point and the health check of the Containerfile as processes of this machine, restricted alike."""
    port, data = str(free_port()), tmp_path / "data"
    data.mkdir(mode=0o700)
    entry = [str(data) if word == "/data" else word for word in lines("Containerfile", "ENTRYPOINT")]
    inside = (
        f"mount --make-rprivate / && mount --bind {data} {data} && mount -o remount,bind,ro / && cd / "
        f"&& export NUMBA_CACHE_DIR={data}/numba XDG_CACHE_HOME={data}/cache PYTHONDONTWRITEBYTECODE=1 "
        "&& exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "
        f"{sys.executable} -m {' '.join(entry)} --port {port}"
    )
    healthy = [sys.executable, *(word.replace("8048", port) for word in lines("Containerfile", "CMD")[1:])]
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen(["unshare", "--mount", "sh", "-c", inside], stdout=log, stderr=log)
    try:
        until = time.monotonic() + PATIENCE
        while subprocess.run(healthy, capture_output=True, check=False).returncode:
            assert running.poll() is None, (tmp_path / "log").read_text("utf-8")
            assert time.monotonic() < until
            time.sleep(0.2)
    finally:
        running.send_signal(signal.SIGTERM)
        assert running.wait(15) == 0
    assert (data / "pontoon.db").exists()

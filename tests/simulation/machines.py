"""Machines with their own networks, as namespaces of this one: a scheduler, workers and a client that talk over TLS.

Needs Linux, root, `ip` and `openssl`. Everything is removed at the end; nothing outside the namespaces is changed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

PORT = 8786
HUB = "10.77.0.1"
ADDRESS = f"tls://{HUB}:{PORT}"
PATIENCE = 120.0
"""Seconds to wait for a machine to be ready; far more than it takes."""


def available() -> bool:
    """Whether this machine can make network namespaces."""
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("openssl"):
        return False
    name = f"pontoon-{os.getpid()}-try"
    made = subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True).returncode == 0
    if made:
        subprocess.run(["ip", "netns", "del", name], check=True)
    return made


class Process:
    """A running program in a namespace, with its log."""

    def __init__(self, popen: subprocess.Popen[bytes], log: Path, output: IO[bytes]) -> None:
        self.popen, self.log, self._output = popen, log, output

    def wait_for(self, words: str) -> None:
        """Wait until the log contains these words."""
        until = time.monotonic() + PATIENCE
        while words not in self.log.read_text(errors="replace"):
            if self.popen.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"never said {words!r}: {self.log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.05)

    def kill(self) -> None:
        """End it as a power cut would."""
        if self.popen.poll() is None:
            self.popen.kill()
        self.popen.wait()
        self._output.close()


class Machines:
    """A hub with a scheduler, and worker machines joined to it by a bridge."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self._names = [f"pontoon-{os.getpid()}-{number}" for number in range(workers + 1)]
        self._running: list[Process] = []
        self.environment = dict(os.environ)

    def __enter__(self) -> Self:
        """Make the namespaces and the certificate."""
        try:
            for name in self._names:
                _run("ip", "netns", "add", name)
            hub = self._names[0]
            _run("ip", "-n", hub, "link", "set", "lo", "up")
            _run("ip", "-n", hub, "link", "add", "bridge", "type", "bridge")
            _run("ip", "-n", hub, "addr", "add", f"{HUB}/24", "dev", "bridge")
            _run("ip", "-n", hub, "link", "set", "bridge", "up")
            for number, name in enumerate(self._names[1:], 1):
                port = f"port{number}"
                _run("ip", "-n", hub, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
                _run("ip", "-n", hub, "link", "set", port, "master", "bridge", "up")
                _run("ip", "-n", name, "addr", "add", f"10.77.0.{10 + number}/24", "dev", "eth0")
                _run("ip", "-n", name, "link", "set", "eth0", "up")
                _run("ip", "-n", name, "link", "set", "lo", "up")
            self._certify()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _certify(self) -> None:
        """A key and a certificate that everyone trusts and shows."""
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        request = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=pontoon")
        _run(*request, "-keyout", key, "-out", certificate)
        for role in ("SCHEDULER", "WORKER", "CLIENT"):
            self.environment[f"DASK_DISTRIBUTED__COMM__TLS__{role}__KEY"] = str(key)
            self.environment[f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT"] = str(certificate)
        self.environment["DASK_DISTRIBUTED__COMM__TLS__CA_FILE"] = str(certificate)
        self.environment["DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION"] = "true"

    def scheduler(self) -> Process:
        """Start the scheduler on the hub, and wait until it listens."""
        command = f"scheduler --host {HUB} --port {PORT} --protocol tls --no-dashboard --no-jupyter"
        process = self.start(0, sys.executable, "-m", "dask", *command.split())
        process.wait_for("Scheduler at:")
        return process

    def worker(self, number: int) -> Process:
        """Start a worker with one thread on its machine, and wait until it is registered."""
        folder = self.folder / f"worker{number}"
        command = f"worker {ADDRESS} --nworkers 1 --nthreads 1 --no-nanny --no-dashboard --local-directory {folder}"
        process = self.start(number, sys.executable, "-m", "dask", *command.split())
        process.wait_for("Registered to:")
        return process

    def start(self, number: int, *command: str) -> Process:
        """Start a program on a machine; 0 is the hub."""
        log = self.folder / f"log{len(self._running)}.txt"
        output = log.open("wb")
        popen = subprocess.Popen(
            ["ip", "netns", "exec", self._names[number], *command],
            env=self.environment,
            cwd=self.folder,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        self._running.append(Process(popen, log, output))
        return self._running[-1]

    def __exit__(self, *_: object) -> None:
        """End everything and remove the namespaces."""
        for process in self._running:
            process.kill()
        for name in self._names:
            with suppress(subprocess.CalledProcessError):
                _run("ip", "netns", "del", name)


def _run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True, capture_output=True)

"""Hosts on one machine: network namespaces joined by a switch in this process, which can cut and slow their links.

Every host has a TAP device whose frames the switch reads and passes on. No traffic control and no packet filter of the
kernel is needed, and the switch sees what travels.
"""

from __future__ import annotations

import fcntl
import heapq
import os
import selectors
import struct
import subprocess
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self

NETWORK = "10.213.77"
TUNSETIFF, TAP_WITHOUT_HEADER = 0x400454CA, 0x1002
LARGEST_FRAME = 65536
OUTSIDE = 250
"""The number of this process, where the clients are."""


def obstacle() -> str:
    """Why there can be no such network here; empty if there can."""
    if os.name != "posix" or os.geteuid() != 0:
        return "only root can make network namespaces"
    if not Path("/dev/net/tun").exists():
        return "there is no /dev/net/tun"
    name = f"pt{os.getpid()}try"
    try:
        tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "iproute2 is not installed"
    if tried.returncode:
        return f"network namespaces cannot be made: {tried.stderr.strip()}"
    subprocess.run(["ip", "netns", "delete", name], check=True)
    return ""


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Network:
    """A switch and the hosts on it, numbered from 1."""

    def __init__(self, hosts: int) -> None:
        self.hosts = range(1, hosts + 1)
        self.cuts: set[frozenset[int]] = set()
        """Pairs of hosts between which nothing passes."""
        self.delays: dict[int, float] = {}
        """Seconds that every frame from or to a host takes."""
        self.needle = b""
        """What no frame between two servers may contain."""
        self.overheard = 0
        self.frames = 0
        self._taps: dict[int, int] = {}
        self._late: list[tuple[float, int, int, bytes]] = []
        self._order = count()
        self._open = True
        self._switching = Thread(target=self._switch, daemon=True)

    @staticmethod
    def address(number: int) -> str:
        """The address of a host."""
        return f"{NETWORK}.{number}"

    @staticmethod
    def name(number: int) -> str:
        """The namespace of a host."""
        return f"pt{os.getpid()}h{number}"

    def inside(self, number: int) -> tuple[str, ...]:
        """The words before a command that runs on a host."""
        return ("ip", "netns", "exec", self.name(number))

    def __enter__(self) -> Self:
        for number in (*self.hosts, OUTSIDE):
            self._taps[number] = self._plug(number)
        self._switching.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open = False
        self._switching.join()
        for tap in self._taps.values():
            os.close(tap)
        for number in self.hosts:
            _ip("netns", "delete", self.name(number))

    def _plug(self, number: int) -> int:
        device = f"pt{os.getpid()}t{number}"
        tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", device.encode(), TAP_WITHOUT_HEADER))
        where: tuple[str, ...] = ()
        if number != OUTSIDE:
            _ip("netns", "add", self.name(number))
            _ip("link", "set", device, "netns", self.name(number))
            where = ("-n", self.name(number))
            _ip(*where, "link", "set", "lo", "up")
        _ip(*where, "link", "set", device, "address", f"02:00:00:00:00:{number:02x}")
        _ip(*where, "address", "add", f"{self.address(number)}/24", "dev", device)
        _ip(*where, "link", "set", device, "up")
        return tap

    def _switch(self) -> None:
        with selectors.DefaultSelector() as waiting:
            for number, tap in self._taps.items():
                waiting.register(tap, selectors.EVENT_READ, number)
            while self._open:
                rest = self._late[0][0] - time.monotonic() if self._late else 0.1
                for key, _ in waiting.select(max(rest, 0.0)):
                    self._forward(key.data, os.read(key.fd, LARGEST_FRAME))
                while self._late and self._late[0][0] <= time.monotonic():
                    _, _, target, frame = heapq.heappop(self._late)
                    self._send(target, frame)

    def _forward(self, source: int, frame: bytes) -> None:
        to_all = frame[0] & 1
        for target in self._taps if to_all else (frame[5],):
            if target == source or target not in self._taps or frozenset((source, target)) in self.cuts:
                continue
            self._listen(source, target, frame)
            delay = max(self.delays.get(source, 0.0), self.delays.get(target, 0.0))
            if delay:
                heapq.heappush(self._late, (time.monotonic() + delay, next(self._order), target, frame))
            else:
                self._send(target, frame)

    def _listen(self, source: int, target: int, frame: bytes) -> None:
        if OUTSIDE not in (source, target):
            self.frames += 1
            self.overheard += bool(self.needle) and self.needle in frame

    def _send(self, target: int, frame: bytes) -> None:
        with suppress(OSError):  # the host is going down, or its queue is full: as a lost frame
            os.write(self._taps[target], frame)

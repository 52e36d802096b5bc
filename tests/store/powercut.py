"""Power cuts of a SQLite database: the program's file operations, and what a disk may hold after a cut.

`Recorder` is a VFS of the SQLite library that the `sqlite3` module itself uses. It is a copy of the default one that
also records, in order, every operation that changes a file or makes it durable; reads, locks and shared memory are not
affected.

    with Recorder(folder) as recorder:
        connection = sqlite3.connect(f"file:{folder}/store.db?{recorder.choice}", uri=True)
        ...
        recorder.mark("the third row is acknowledged")

`Disk` takes these operations one after the other and tells at any point what a power cut might leave:

* What was synced is there. A sync counts once it has returned, and only for the file it names.
* A write that was not synced is there, is missing, or is torn: any of its 512-byte sectors may be there. Writes are
  independent, so a later one may be there without an earlier one. Bytes next to a write are not damaged.
* A truncation that was not synced may or may not have happened.
* A name created or removed since the folder was last synced may or may not be there; of several changes to one name,
  only the first few may have happened. Syncing a file does not sync its name.
* Where a file grew past bytes that never arrived, it holds zeros or garbage.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import itertools
from collections.abc import Callable, Iterable, Iterator
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import TracebackType
from typing import NamedTuple, Self

SECTOR = 512

# --- what was done to the files ------------------------------------------------------------------------


class Made(NamedTuple):
    """A new file was created."""

    name: str
    file: int


class Removed(NamedTuple):
    name: str


class Written(NamedTuple):
    file: int
    at: int
    data: bytes


class Truncated(NamedTuple):
    file: int
    size: int


class Synced(NamedTuple):
    file: int


class FolderSynced(NamedTuple):
    """The folder was synced."""


class Marked(NamedTuple):
    """A mark of the program's progress; no file operation."""

    what: object


Operation = Made | Removed | Written | Truncated | Synced | FolderSynced | Marked


@dataclass(frozen=True)
class Journal:
    """The initial files of a folder and all operations on them."""

    before: dict[str, bytes]
    operations: list[Operation] = field(default_factory=list)

    def marks(self, moment: int) -> list[object]:
        """The marks set within the first `moment` operations."""
        return [operation.what for operation in self.operations[:moment] if isinstance(operation, Marked)]


# --- what a cut leaves ---------------------------------------------------------------------------------


@dataclass
class _File:
    """The durable bytes of a file, and the operations since."""

    lasting: bytearray
    since: list[Written | Truncated] = field(default_factory=list)


class _Luck(NamedTuple):
    """How one cut treats unsynced data; each cut differs, so that some lose everything and some almost nothing."""

    random: Random
    kept: float
    torn: float

    @classmethod
    def of(cls, random: Random) -> _Luck:
        kept = random.choice((0.0, 0.5, 0.9, 1.0, random.random()))
        return cls(random, kept, (1 - kept) * random.random())


class Disk:
    """A disk with one folder.

    >>> disk = Disk({})
    >>> for one in Made("a", 0), FolderSynced(), Written(0, 0, b"old"), Synced(0), Written(0, 0, b"new"):
    ...     disk.do(one)
    >>> sorted({disk.after_cut(Random(seed))["a"] for seed in range(20)})
    [b'new', b'old']
    """

    def __init__(self, files: dict[str, bytes], *, honest: bool = True) -> None:
        self._files = {number: _File(bytearray(data)) for number, data in enumerate(files.values())}
        self._names = dict(zip(files, self._files, strict=True))
        self._names_since: list[Made | Removed] = []
        self._honest = honest
        """A dishonest disk claims to have synced without doing so."""

    def do(self, operation: Operation) -> None:
        match operation:
            case Made(_, number):
                self._files[number] = _File(bytearray())
                self._names_since.append(operation)
            case Removed():
                self._names_since.append(operation)
            case Written(number) | Truncated(number):
                self._files[number].since.append(operation)
            case Synced(number) if self._honest:
                file = self._files[number]
                for change in file.since:
                    _apply(change, file.lasting)
                file.since.clear()
            case FolderSynced() if self._honest:
                for named in self._names_since:
                    _rename(named, self._names)
                self._names_since.clear()

    def after_cut(self, random: Random) -> dict[str, bytes]:
        """The files as they may be found after a power cut now."""
        return self._found(_Luck.of(random))

    def running(self) -> dict[str, bytes]:
        """The files as the program sees them while the power is on."""
        return self._found(_Luck(Random(0), kept=1, torn=0))

    def _found(self, luck: _Luck) -> dict[str, bytes]:
        names = dict(self._names)
        over: set[str] = set()
        for change in self._names_since:
            if change.name not in over and luck.random.random() < luck.kept:
                _rename(change, names)
            else:
                over.add(change.name)
        return {name: _left(self._files[number], luck) for name, number in names.items()}


def _rename(change: Made | Removed, names: dict[str, int]) -> None:
    if isinstance(change, Made):
        names[change.name] = change.file
    else:
        del names[change.name]


def _apply(change: Written | Truncated, content: bytearray) -> None:
    if isinstance(change, Truncated):
        del content[change.size :]
        content.extend(bytes(change.size - len(content)))
    else:
        content.extend(bytes(max(0, change.at - len(content))))
        content[change.at : change.at + len(change.data)] = change.data


def _left(file: _File, luck: _Luck) -> bytes:
    """The contents of one file after the cut."""
    content = bytearray(file.lasting)
    for change in file.since:
        fate = luck.random.random()
        if fate < luck.kept:
            _grow(content, change.at if isinstance(change, Written) else 0, luck.random)
            _apply(change, content)
        elif fate < luck.kept + luck.torn and isinstance(change, Written):
            _tear(change, content, luck.random)
    return bytes(content)


def _tear(write: Written, content: bytearray, random: Random) -> None:
    """Some sectors of a write; the file may be as long as if it had all of them."""
    end = write.at + len(write.data)
    if random.random() < 0.5:
        _grow(content, end, random)
    edges = [write.at, *range(write.at - write.at % SECTOR + SECTOR, end, SECTOR), end]
    for start, stop in itertools.pairwise(edges):
        if random.random() < 0.5:
            _grow(content, start, random)
            content[start:stop] = write.data[start - write.at : stop - write.at]


def _grow(content: bytearray, size: int, random: Random) -> None:
    missing = size - len(content)
    if missing > 0:
        content.extend(random.randbytes(missing) if random.random() < 0.5 else bytes(missing))


def cuts(
    journal: Journal, moments: Iterable[int], random: Random, *, honest: bool = True
) -> Iterator[tuple[int, dict[str, bytes]]]:
    """The files after a cut at each of these moments: after this many operations, the fewest first."""
    disk = Disk(journal.before, honest=honest)
    done = 0
    for moment in sorted(moments):
        for operation in journal.operations[done:moment]:
            disk.do(operation)
        done = moment
        yield moment, disk.after_cut(random)


# --- the recorder --------------------------------------------------------------------------------------

_OK = 0
_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_Delete = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
_SetSystemCall = CFUNCTYPE(c_int, c_void_p, c_char_p, c_void_p)
_GetSystemCall = CFUNCTYPE(c_void_p, c_void_p, c_char_p)
_OpenDirectory = CFUNCTYPE(c_int, c_char_p, c_void_p)
_Close = CFUNCTYPE(c_int, c_void_p)
_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)


class _Vfs(Structure):
    """sqlite3_vfs of sqlite3.h."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", _Open),
        ("delete", _Delete),
        ("access_to_last_error", c_void_p * 10),
        ("current_time_64", c_void_p),
        ("set_system_call", _SetSystemCall),
        ("get_system_call", _GetSystemCall),
        ("next_system_call", c_void_p),
    )


class _Methods(Structure):
    """sqlite3_io_methods of sqlite3.h."""

    _fields_ = (
        ("version", c_int),
        ("close", _Close),
        ("read", c_void_p),
        ("write", _Write),
        ("truncate", _Truncate),
        ("sync", _Sync),
        ("size_to_unfetch", c_void_p * 13),
    )


class _Handle(Structure):
    """The beginning of every sqlite3_file."""

    _fields_ = (("methods", POINTER(_Methods)),)


def _library() -> ctypes.CDLL:
    """The SQLite library used by the `sqlite3` module."""
    library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
    library.sqlite3_vfs_find.restype = POINTER(_Vfs)
    return library


def recordable() -> bool:
    """Whether this Python shows us its SQLite, and that one syncs folders as it does on POSIX."""
    try:
        ordinary = _library().sqlite3_vfs_find(None).contents
    except (AttributeError, OSError, TypeError):  # SQLite inside another file without names; no such file on Windows
        return False
    return bool(ordinary.get_system_call(ctypes.byref(ordinary), b"openDirectory"))


_used: list[Recorder] = []
"""SQLite may call a recorder as long as a connection made through it is open; so recorders are never discarded."""


class Recorder:
    """Writes down what SQLite does to the files of one folder, through connections that choose it."""

    def __init__(self, folder: Path) -> None:
        _used.append(self)
        self._folder = folder
        self._name = f"powercut-{len(_used)}"
        self.choice = f"vfs={self._name}"
        """The part of a database's URI that chooses this recorder."""
        self.journal = Journal({path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".db-shm"})
        self._numbers = {name: number for number, name in enumerate(self.journal.before)}
        self._next = itertools.count(len(self._numbers))
        self._open_files: dict[int, int] = {}
        """The number of a file by the address of its handle."""
        self._methods: dict[int, _Methods] = {}
        """Our methods by the address of the ordinary ones."""
        self.fault: Callable[[Operation], int] = lambda _: _OK
        """The error code with which an operation fails instead of being done; 0 to do it."""
        self._library = _library()
        self._ordinary: _Vfs = self._library.sqlite3_vfs_find(None).contents
        self._vfs = _Vfs.from_buffer_copy(self._ordinary)
        self._vfs.next = None
        self._vfs.name = self._name.encode()
        self._vfs.open = _Open(self._open)
        self._vfs.delete = _Delete(self._delete)
        self._usual_open_directory = self._ordinary.get_system_call(ctypes.byref(self._ordinary), b"openDirectory")
        self._our_open_directory = _OpenDirectory(self._open_directory)

    def mark(self, what: object) -> None:
        """Record a mark of the program's progress."""
        self.journal.operations.append(Marked(what))

    def __enter__(self) -> Self:
        assert self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 0) == _OK
        self._set_open_directory(ctypes.cast(self._our_open_directory, c_void_p).value)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._set_open_directory(self._usual_open_directory)
        assert self._library.sqlite3_vfs_unregister(ctypes.byref(self._vfs)) == _OK

    # What lasts or is lost is written down before it is done, so that the folder's sync comes after its cause.

    def _open(self, _: int, name: int | None, handle: int, flags: int, flags_out: int | None) -> int:
        path = Path(ctypes.string_at(name).decode()) if name else None
        code: int = self._ordinary.open(ctypes.addressof(self._ordinary), name, handle, flags, flags_out)
        if code == _OK and path is not None and path.parent == self._folder:
            if path.name not in self._numbers:  # made now, or by us a moment ago
                self._numbers[path.name] = next(self._next)
                self.journal.operations.append(Made(path.name, self._numbers[path.name]))
            self._open_files[handle] = self._numbers[path.name]
            beginning = _Handle.from_address(handle)
            beginning.methods = ctypes.pointer(self._recording(beginning.methods.contents))
        return code

    def _recording(self, ordinary: _Methods) -> _Methods:
        """Methods that record the call and then behave like the ordinary ones."""
        address = ctypes.addressof(ordinary)
        if address not in self._methods:
            ours = self._methods[address] = _Methods.from_buffer_copy(ordinary)

            def close(handle: int) -> int:
                del self._open_files[handle]
                return int(ordinary.close(handle))

            def write(handle: int, data: int, amount: int, at: int) -> int:
                written = Written(self._open_files[handle], at, ctypes.string_at(data, amount))
                self.journal.operations.append(written)
                return self.fault(written) or int(ordinary.write(handle, data, amount, at))

            def truncate(handle: int, size: int) -> int:
                truncated = Truncated(self._open_files[handle], size)
                self.journal.operations.append(truncated)
                return self.fault(truncated) or int(ordinary.truncate(handle, size))

            def sync(handle: int, flags: int) -> int:
                synced = Synced(self._open_files[handle])
                self.journal.operations.append(synced)
                return self.fault(synced) or int(ordinary.sync(handle, flags))

            ours.close = _Close(close)
            ours.write = _Write(write)
            ours.truncate = _Truncate(truncate)
            ours.sync = _Sync(sync)
        return self._methods[address]

    def _delete(self, _: int, name: bytes, sync_folder: int) -> int:
        path = Path(name.decode())
        if path.parent == self._folder and path.exists():
            if code := self.fault(Removed(path.name)):
                return code
            del self._numbers[path.name]
            self.journal.operations.append(Removed(path.name))
        return int(self._ordinary.delete(ctypes.addressof(self._ordinary), name, sync_folder))

    def _open_directory(self, name: bytes, descriptor: int) -> int:
        """SQLite opens a folder for one reason: to sync it."""
        if Path(name.decode()).parent == self._folder:
            self.journal.operations.append(FolderSynced())
        return int(_OpenDirectory(self._usual_open_directory)(name, descriptor))

    def _set_open_directory(self, function: int | None) -> None:
        code = self._ordinary.set_system_call(ctypes.byref(self._ordinary), b"openDirectory", function)
        assert code == _OK

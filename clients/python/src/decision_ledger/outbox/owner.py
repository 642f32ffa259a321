"""The process that writes a folder, as far as another one can identify it."""

import contextlib
import errno
import json
import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

OWNER = "owner.json"
SOCKET = "alive"
#: Paths of Unix sockets are limited to 103 bytes on macOS and 107 on Linux.
MAX_SOCKET_PATH = 100
#: File systems that one kernel at a time mounts.
LOCAL = frozenset({"ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "tmpfs", "overlay", "apfs"})


class Ownership:
    """
    Marks a folder as written by this process. The kernel closes the socket when the process ends, however
    it ends.
    """

    def __init__(self, folder: Path) -> None:
        write_owner(folder, identity())
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # Without a socket, the process id says whether the owner lives.
        with contextlib.suppress(OSError), short_path(folder) as path:
            self._socket.bind(str(path / SOCKET))
            self._socket.listen(1)

    def release(self, folder: Path) -> None:
        write_owner(folder, {**identity(), "released": True})
        self._socket.close()

    def abandon(self) -> None:
        """Closes the copy that a child process has: it must not keep the folder of its parent alive."""
        self._socket.close()


def write_owner(folder: Path, owner: dict[str, Any]) -> None:
    file = os.open(folder / OWNER, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(file, "w") as out:
        out.write(json.dumps(owner) + "\n")


def identity() -> dict[str, Any]:
    return {
        "pid": os.getpid(),
        # Changes with each start of the machine.
        "bootId": try_to(lambda: Path("/proc/sys/kernel/random/boot_id").read_text().strip()),
        # Process ids are comparable only within one namespace.
        "pidNamespace": try_to(lambda: os.readlink("/proc/self/ns/pid")),
        "host": socket.gethostname(),
    }


def is_orphan(folder: Path) -> bool:
    """Whether the process that wrote a folder has certainly ended."""
    owner = read_owner(folder)
    if owner is None:
        return False
    if owner.get("released") is True:
        return True
    here = identity()
    if owner.get("bootId") != here["bootId"]:
        return bool(owner["host"] == here["host"]) or is_local(folder)
    if owner.get("bootId") is None and owner["host"] != here["host"]:
        return False
    reached = reach(folder)
    if reached != "missing":
        return reached == "refuses"
    return owner.get("pidNamespace") == here["pidNamespace"] and not is_running(owner["pid"])


def read_owner(folder: Path) -> dict[str, Any] | None:
    try:
        value = json.loads((folder / OWNER).read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(value, dict):
        return None
    is_known = isinstance(value.get("pid"), int) and isinstance(value.get("host"), str)
    return value if is_known else None


def is_local(folder: Path) -> bool:
    """Whether the folder is on a disk that no other running machine writes."""
    kind, longest = "", -1
    for line in (try_to(lambda: Path("/proc/self/mounts").read_text()) or "").splitlines():
        _, point, found, *_ = line.split(" ")
        if folder.resolve().is_relative_to(point) and len(point) >= longest:
            kind, longest = found, len(point)
    return kind in LOCAL


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def reach(folder: Path) -> Literal["answers", "refuses", "missing"]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe, short_path(folder) as path:
        # A queue of connections that is full blocks, and means that something listens.
        probe.setblocking(False)
        code = probe.connect_ex(str(path / SOCKET))
    if code == errno.ECONNREFUSED:
        return "refuses"
    return "missing" if code in (errno.ENOENT, errno.ENOTSOCK) else "answers"


@contextlib.contextmanager
def short_path(folder: Path) -> Iterator[Path]:
    """A path that is short enough for a socket."""
    if len(os.fsencode(folder / SOCKET)) <= MAX_SOCKET_PATH:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="ledger-") as home:
        link = Path(home, "d")
        link.symlink_to(folder)
        yield link


def try_to(read: Callable[[], str]) -> str | None:
    try:
        return read()
    except OSError:
        return None

"""The last receipt of the processes that use an outbox."""

import os
import re
from pathlib import Path

from decision_ledger.outbox.line import checksum
from decision_ledger.outbox.segment import sync
from decision_ledger.receipts import Anchor

PREFIX = "anchor-"
#: Of a slot, in bytes: checksum, hash, space, seq, line feed.
SLOT = 96
NOTHING = Anchor(0, "")
CONTENT = re.compile(rb"([0-9a-f]{64}) ([1-9][0-9]{0,15}) *")


class AnchorFile:
    """
    Each process writes a file of its own, in two slots by turns: a write that is cut damages one of them,
    and the other has the receipt before.
    """

    def __init__(self, outbox: Path, folder: Path, is_durable: bool) -> None:
        others = [outbox / name for name in os.listdir(outbox) if name.startswith(PREFIX)]
        # Before they are read: a process writes nothing after it has left its folder.
        abandoned = [path for path in others if not (outbox / path.name[len(PREFIX) :]).exists()]
        self._last = highest([NOTHING, *map(read_anchor, others)])
        self._path = outbox / f"{PREFIX}{folder.name}"
        self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._is_durable = is_durable
        self._slot = 0
        if self._last.seq > 0:
            self._write()
        # What they had is in this file now.
        for path in abandoned:
            path.unlink(missing_ok=True)

    @property
    def last(self) -> Anchor | None:
        """The highest receipt; None before the first."""
        return self._last if self._last.seq > 0 else None

    def keep(self, anchor: Anchor) -> None:
        """Raises OSError; the next call tries again."""
        self._last = highest([self._last, anchor])
        self._write()

    def abandon(self) -> None:
        """Closes the copy that a child process has."""
        os.close(self._file)

    def close(self) -> None:
        os.close(self._file)
        if self._last.seq == 0:
            self._path.unlink(missing_ok=True)

    def _write(self) -> None:
        content = f"{self._last.hash} {self._last.seq}".encode().ljust(SLOT - 9)
        os.pwrite(self._file, checksum(content) + content + b"\n", self._slot * SLOT)
        self._slot = 1 - self._slot
        if self._is_durable:
            sync(self._file)


def highest(anchors: list[Anchor]) -> Anchor:
    return max(anchors, key=lambda anchor: anchor.seq)


def read_anchor(path: Path) -> Anchor:
    """The higher of the slots that are whole."""
    try:
        data = path.read_bytes()
    except OSError:
        # Another process has removed it, after it had copied it.
        return NOTHING
    return highest([read_slot(data[:SLOT]), read_slot(data[SLOT : 2 * SLOT])])


def read_slot(data: bytes) -> Anchor:
    content = data[8 : SLOT - 1]
    found = CONTENT.fullmatch(content)
    if found is None or checksum(content) != data[:8]:
        return NOTHING
    return Anchor(int(found[2]), found[1].decode())

"""Where delivery has arrived in a folder."""

import os
import re
from pathlib import Path

from decision_ledger.outbox.line import checksum
from decision_ledger.outbox.segment import START, Position

NAME = "delivered"
CONTENT = re.compile(rb"([0-9]{1,15}) ([0-9]{1,15}) *")


class DeliveredMark:
    """
    It is overwritten in place, by one write of the same length. If it is damaged, everything is delivered
    again, which the idempotency keys make harmless.
    """

    def __init__(self, folder: Path) -> None:
        self.position = read_delivered(folder / NAME)
        self._file = os.open(folder / NAME, os.O_WRONLY | os.O_CREAT, 0o600)
        self.write(self.position)

    def write(self, position: Position) -> None:
        self.position = position
        content = b"%d %d" % (position.segment, position.offset)
        content = content.ljust(40)
        os.pwrite(self._file, checksum(content) + content + b"\n", 0)

    def close(self) -> None:
        os.close(self._file)


def read_delivered(path: Path) -> Position:
    """The position; the beginning if there is none."""
    try:
        data = path.read_bytes()
    except OSError:
        return START
    content = data[8:48]
    found = CONTENT.fullmatch(content)
    if found is None or checksum(content) != data[:8]:
        return START
    return Position(int(found[1]), int(found[2]))

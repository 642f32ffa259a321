"""Decisions on disk."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from decision_ledger import limits
from decision_ledger.encode import Entry, timestamp
from decision_ledger.errors import LedgerApiError, Problem
from decision_ledger.outbox.anchor import AnchorFile
from decision_ledger.outbox.folders import adopt_orphans, create_folder
from decision_ledger.outbox.own_lane import Bounds, DiskLane
from decision_ledger.outbox.recovered_lane import RecoveredLane
from decision_ledger.outbox.segment import write_whole
from decision_ledger.receipts import Anchor
from decision_ledger.section import Section

DEAD_LETTERS = "dead-letters.ndjson"


@dataclass(frozen=True)
class OutboxOptions:
    """Where decisions are kept on disk until they are delivered."""

    #: A folder on a local disk; it is created. Several processes may share it.
    path: "str | os.PathLike[str]"
    #: Wait for the disk after each decision: survives a loss of power, but takes milliseconds.
    fsync: bool = False
    #: Beyond it, decisions wait in memory.
    max_bytes: int = limits.OUTBOX_BYTES


class Outbox:
    """Two lanes: the decisions of this process, and those that dead processes left."""

    def __init__(
        self,
        options: OutboxOptions,
        bounds: Bounds,
        now: Callable[[], float],
        section: Section,
        report: Callable[[Problem], None],
    ) -> None:
        """Raises OSError if the folder cannot be written."""
        if sys.platform == "win32":
            raise OSError("the option outbox needs a POSIX system")
        self._path = Path(options.path).resolve()
        self._now = now
        self._report = report
        self._folder, self._ownership = create_folder(self._path)
        self._anchor = AnchorFile(self._path, self._folder, options.fsync)
        self.own = DiskLane(self._folder, options.fsync, bounds, section, report)
        self.recovered = RecoveredLane(section, report)

    @property
    def anchor(self) -> Anchor | None:
        """The last receipt of the processes that used the folder; None before the first."""
        return self._anchor.last

    def search(self) -> None:
        """Takes over what dead processes left."""
        for folder in adopt_orphans(self._path, self._folder):
            self.recovered.adopt(folder)

    def keep_anchor(self, anchor: Anchor) -> None:
        try:
            self._anchor.keep(anchor)
        except OSError as error:
            self._report(Problem("outbox", f"the last receipt cannot be kept: {error}", error=error))

    def bury(self, entry: Entry, error: LedgerApiError) -> None:
        """Keeps a refused decision in the file of dead letters."""
        reason = json.dumps({"code": error.code, "message": str(error)})
        line = f'{{"at":"{timestamp(self._now())}","error":{reason},"decision":{entry.json.decode()}}}\n'
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            file = os.open(self._path / DEAD_LETTERS, flags, 0o600)
            try:
                write_whole(file, line.encode())
            finally:
                os.close(file)
        except OSError as failure:
            message = f"a dead letter cannot be written: {failure}"
            self._report(Problem("outbox", message, error=failure))

    def close(self) -> None:
        """Removes what is delivered, and releases the rest for the next process."""
        is_empty = self.own.added == self.own.settled and self.recovered.added == self.recovered.settled
        self.own.close()
        self.recovered.close()
        self._anchor.close()
        self._ownership.release(self._folder)
        is_bare = not any(self._folder.glob("a-*"))
        if is_empty and is_bare:
            shutil.rmtree(self._folder, ignore_errors=True)

    def abandon(self) -> None:
        """Closes what a child process has of the files of its parent, and changes none of them."""
        self.own.close()
        self.recovered.close()
        self._anchor.abandon()
        self._ownership.abandon()

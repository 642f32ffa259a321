"""The decisions of this process: all on disk, and the first ones also in memory."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from decision_ledger import limits
from decision_ledger.encode import Entry
from decision_ledger.errors import Problem
from decision_ledger.outbox.delivered import DeliveredMark
from decision_ledger.outbox.line import LINE_OVERHEAD, encode_line
from decision_ledger.outbox.segment import Position, SegmentWriter, remove_segments
from decision_ledger.outbox.segment_reader import SegmentReader
from decision_ledger.queue import take_batch
from decision_ledger.section import Section

#: What is delivered is removed from the disk once the segment has this size.
TIDY_BYTES = 256 * 1024
#: What is read back at once.
REFILL_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class Bounds:
    max_decisions: int
    max_bytes: int
    max_disk_bytes: int


class DiskLane:
    """
    Decisions that the memory cannot hold are read back from the disk when those before them are delivered.
    """

    def __init__(
        self,
        folder: Path,
        is_synced: bool,
        bounds: Bounds,
        section: Section,
        report: Callable[[Problem], None],
    ) -> None:
        self._folder = folder
        self._writer = SegmentWriter(folder, is_synced)
        self._mark = DeliveredMark(folder)
        self._bounds = bounds
        self._section = section
        self._report = report
        #: With the place where the next line begins; None if the decision is only in memory.
        self._waiting: deque[tuple[Entry, Position | None]] = deque()
        #: Decisions that are only on disk, and what reads them.
        self._spilled = 0
        self._reader: SegmentReader | None = None
        self.added = 0
        self.settled = 0
        self.queued_bytes = 0
        #: Undelivered.
        self.disk_bytes = 0
        #: Waiting decisions that are only in memory.
        self.unstored = 0
        #: Whether there are segments before that of the mark.
        self._is_untidy = False
        #: Whether the last write failed: one report for a series of failures.
        self._is_failing = False

    @property
    def queued(self) -> int:
        return len(self._waiting)

    def add(self, entry: Entry) -> Literal["stored", "memory", "full"]:
        """Stores a decision before it returns, or says that it is only in memory, or nowhere."""
        line = encode_line(entry)
        start = self._writer.position
        is_written = self._write(line)
        bounds = self._bounds
        fits = self.queued < bounds.max_decisions and self.queued_bytes + len(entry.json) <= bounds.max_bytes
        if not is_written:
            if not fits:
                return "full"
            self.unstored += 1
            self._hold(entry, None)
        else:
            self.disk_bytes += len(line)
            if self._reader is None and fits:
                self._hold(entry, self._writer.position)
            else:
                self._spill(len(line), start)
        self.added += 1
        return "stored" if is_written else "memory"

    def _write(self, line: bytes) -> bool:
        try:
            if self.disk_bytes >= self._bounds.max_disk_bytes:
                raise OSError("the outbox is full")
            self._writer.append(line)
        except OSError as error:
            if not self._is_failing:
                message = f"the outbox cannot be written, decisions wait in memory: {error}"
                self._report(Problem("outbox", message, error=error))
            self._is_failing = True
            return False
        self._is_failing = False
        return True

    def _hold(self, entry: Entry, end: Position | None) -> None:
        self._waiting.append((entry, end))
        self.queued_bytes += len(entry.json)

    def _spill(self, written: int, start: Position) -> None:
        self._spilled += 1
        if self._reader is not None:
            return
        # The line may have begun a new segment.
        now = self._writer.position
        begin = start if start.segment == now.segment else Position(now.segment, now.offset - written)
        self._reader = SegmentReader(self._folder, begin)

    def peek(self) -> list[Entry]:
        while not self._waiting and self._reader is not None:
            self._refill(self._reader)
        number = min(len(self._waiting), limits.BATCH_DECISIONS)
        return take_batch(self._waiting[index][0] for index in range(number))

    def _refill(self, reader: SegmentReader) -> None:
        """The disk is read outside the section, so that `record` does not wait for it."""
        max_bytes = min(self._bounds.max_bytes, REFILL_BYTES)
        lines, damaged = reader.read(min(self._bounds.max_decisions, self._spilled), max_bytes)
        with self._section:
            for stored in lines:
                self._hold(stored.entry, stored.end)
            self._spilled -= len(lines)
            is_end = not lines and damaged == 0
            self._give_up(self._spilled if is_end else damaged)
            if self._spilled == 0:
                self._reader = None

    def _give_up(self, decisions: int) -> None:
        if decisions == 0:
            return
        self._spilled -= decisions
        self.settled += decisions
        message = f"{decisions} decisions of the outbox cannot be read"
        self._report(Problem("unreadable", message, decisions))

    def settle(self, number: int) -> None:
        last: Position | None = None
        for _ in range(number):
            entry, end = self._waiting.popleft()
            self.queued_bytes -= len(entry.json)
            if end is None:
                self.unstored -= 1
            else:
                self.disk_bytes -= len(entry.json) + LINE_OVERHEAD
                last = end
        self.settled += number
        if last is not None:
            self._move_mark(last)

    def _move_mark(self, end: Position) -> None:
        """Decisions that were delivered must not stay on disk for longer than needed."""
        try:
            is_empty = self.settled == self.added and self._writer.position.offset >= TIDY_BYTES
            if is_empty:
                self._writer.rotate()
            before = self._mark.position.segment
            self._mark.write(self._writer.position if is_empty else end)
            self._is_untidy = self._is_untidy or self._mark.position.segment > before
        except OSError as error:
            self._report(Problem("outbox", f"the outbox cannot be tidied: {error}", error=error))

    def tidy(self) -> None:
        if not self._is_untidy:
            return
        self._is_untidy = False
        try:
            remove_segments(self._folder, self._mark.position.segment)
        except FileNotFoundError:
            pass  # the client was closed
        except OSError as error:
            with self._section:
                self._report(Problem("outbox", f"the outbox cannot be tidied: {error}", error=error))

    def close(self) -> None:
        self._writer.close()
        self._mark.close()

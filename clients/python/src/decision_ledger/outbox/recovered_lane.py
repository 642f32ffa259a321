"""Decisions that dead processes left. They are read from the disk batch by batch."""

import shutil
from collections.abc import Callable
from pathlib import Path

from decision_ledger import limits
from decision_ledger.encode import Entry
from decision_ledger.errors import Problem
from decision_ledger.outbox.delivered import DeliveredMark
from decision_ledger.outbox.segment_reader import SegmentReader, StoredEntry, count_lines
from decision_ledger.queue import take_batch
from decision_ledger.section import Section


class Source:
    """A folder that was taken over."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = DeliveredMark(folder)
        self.reader = SegmentReader(folder, self.mark.position)
        self.lines: list[StoredEntry] = []


class RecoveredLane:
    def __init__(self, section: Section, report: Callable[[Problem], None]) -> None:
        self._section = section
        self._report = report
        self._sources: list[Source] = []
        self.added = 0
        self.settled = 0

    @property
    def queued(self) -> int:
        return len(self._sources[0].lines) if self._sources else 0

    @property
    def queued_bytes(self) -> int:
        return sum(len(line.entry.json) for line in self._sources[0].lines) if self._sources else 0

    def adopt(self, folder: Path) -> None:
        """Takes over a folder; it is removed once its decisions are delivered."""
        source = Source(folder)
        number = count_lines(folder, source.mark.position)
        if number == 0:
            source.mark.close()
            shutil.rmtree(folder, ignore_errors=True)
            return
        with self._section:
            self._sources.append(source)
            self.added += number

    def peek(self) -> list[Entry]:
        while self._sources:
            source = self._sources[0]
            if not source.lines:
                self._read(source)
            if source.lines:
                return take_batch(line.entry for line in source.lines)
            self._finish(source)
        # A file was changed while it was read.
        self._give_up(self.added - self.settled)
        return []

    def _read(self, source: Source) -> None:
        while True:
            lines, damaged = source.reader.read(limits.BATCH_DECISIONS, limits.BATCH_BYTES)
            source.lines = lines
            self._give_up(damaged)
            if lines or damaged == 0:
                return

    def _finish(self, source: Source) -> None:
        with self._section:
            if source not in self._sources:
                return  # the client was closed
            self._sources.remove(source)
            source.mark.close()
        shutil.rmtree(source.folder, ignore_errors=True)

    def _give_up(self, decisions: int) -> None:
        if decisions <= 0:
            return
        with self._section:
            self.settled += decisions
            message = f"{decisions} decisions of a former process cannot be read"
            self._report(Problem("unreadable", message, decisions))

    def settle(self, number: int) -> None:
        source = self._sources[0]
        end = source.lines[number - 1].end
        self.settled += number
        source.lines = source.lines[number:]
        source.mark.write(end)

    def tidy(self) -> None:
        """Reads on, because a source that is at its end is removed."""
        if self._sources and not self._sources[0].lines:
            source = self._sources[0]
            self._read(source)
            if not source.lines:
                self._finish(source)

    def close(self) -> None:
        for source in self._sources:
            source.mark.close()
        self._sources = []

"""Reads the segments of a folder in order."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from decision_ledger.encode import Entry
from decision_ledger.outbox.line import decode_line
from decision_ledger.outbox.segment import Position, list_segments, segment_path

CHUNK_BYTES = 256 * 1024


@dataclass(frozen=True)
class StoredEntry:
    entry: Entry
    #: Where the next line begins.
    end: Position


class SegmentReader:
    def __init__(self, folder: Path, start: Position) -> None:
        self._folder = folder
        self._position = start
        self._rest = b""

    def read(self, max_lines: int, max_bytes: int) -> tuple[list[StoredEntry], int]:
        """
        The next lines, and how many others were damaged; nothing at the end of what is written. A last
        line without its end is left out.
        """
        lines: list[StoredEntry] = []
        damaged = 0
        size = 0
        while len(lines) < max_lines and size < max_bytes:
            line = self._next()
            if line is None:
                break
            size += len(line) + 1
            self._position = Position(self._position.segment, self._position.offset + len(line) + 1)
            entry = decode_line(line)
            if entry is None:
                damaged += 1
            else:
                lines.append(StoredEntry(entry, self._position))
        return lines, damaged

    def _next(self) -> bytes | None:
        """The next line without its end; None if there is none."""
        while True:
            line, end, rest = self._rest.partition(b"\n")
            if end:
                self._rest = rest
                return line
            offset = self._position.offset + len(self._rest)
            more = read_at(segment_path(self._folder, self._position.segment), offset)
            if more:
                self._rest += more
            elif not self._next_segment():
                return None

    def _next_segment(self) -> bool:
        later = [one for one in list_segments(self._folder) if one > self._position.segment]
        if not later:
            return False
        self._rest = b""
        self._position = Position(later[0], 0)
        return True


def count_lines(folder: Path, start: Position) -> int:
    """Counts the lines from a position on."""
    later = [segment for segment in list_segments(folder) if segment >= start.segment]
    return sum(
        chunk.count(b"\n")
        for segment in later
        for chunk in chunks_of(segment_path(folder, segment), start.offset if segment == start.segment else 0)
    )


def chunks_of(path: Path, offset: int) -> Iterator[bytes]:
    while chunk := read_at(path, offset):
        offset += len(chunk)
        yield chunk


def read_at(path: Path, offset: int) -> bytes:
    """At most a chunk of a file; nothing at its end, or if it does not exist."""
    try:
        file = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return b""
    try:
        return os.pread(file, CHUNK_BYTES, offset)
    finally:
        os.close(file)

"""The segments of a folder: files to which lines are appended."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

#: The size at which a new segment begins.
SEGMENT_BYTES = 8 * 1024 * 1024
NAME = re.compile(r"([0-9]{8,15})\.ndjson")


@dataclass(frozen=True)
class Position:
    segment: int
    #: In bytes.
    offset: int


START = Position(1, 0)


def segment_path(folder: Path, segment: int) -> Path:
    return folder / f"{segment:08d}.ndjson"


def list_segments(folder: Path) -> list[int]:
    """The numbers of the segments in a folder, in order."""
    found = (NAME.fullmatch(name) for name in os.listdir(folder))
    return sorted(int(match[1]) for match in found if match)


def remove_segments(folder: Path, before: int) -> None:
    for segment in list_segments(folder):
        if segment < before:
            segment_path(folder, segment).unlink(missing_ok=True)


class SegmentWriter:
    """Appends lines. A line is written as a whole, or not at all."""

    def __init__(self, folder: Path, is_synced: bool) -> None:
        self._folder = folder
        self._is_synced = is_synced
        self._segment = 1
        self._offset = 0
        #: None after a failure that left the segment in doubt.
        self._file: int | None = None
        self._file = self._open()

    @property
    def position(self) -> Position:
        """Where the next line begins."""
        return Position(self._segment, self._offset)

    def append(self, line: bytes) -> None:
        """Raises OSError; then nothing was appended."""
        if self._file is None or self._offset >= SEGMENT_BYTES:
            self.rotate()
        file = self._file if self._file is not None else self._open()
        self._file = file
        try:
            write_whole(file, line)
            if self._is_synced:
                sync(file)
        except OSError:
            self._undo(file)
            raise
        self._offset += len(line)

    def rotate(self) -> None:
        """Begins a new segment."""
        self.close()
        self._segment += 1
        self._offset = 0
        self._file = self._open()

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = None

    def _open(self) -> int:
        path = segment_path(self._folder, self._segment)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        if self._is_synced:
            sync_folder(self._folder)
        return file

    def _undo(self, file: int) -> None:
        """A full disk may have taken a part of the line."""
        try:
            os.ftruncate(file, self._offset)
        except OSError:
            self.close()


def write_whole(file: int, data: bytes) -> None:
    written = os.write(file, data)
    while written < len(data):
        written += os.write(file, data[written:])


def sync(file: int) -> None:
    # macOS has no fdatasync.
    getattr(os, "fdatasync", os.fsync)(file)


def sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""A line of a segment: a checksum, whether the time is that of the client, and the JSON."""

import zlib

from decision_ledger.encode import Entry

#: Bytes of a line beyond its JSON: checksum, mark, space, line feed.
LINE_OVERHEAD = 11


def encode_line(entry: Entry) -> bytes:
    content = (b"s " if entry.is_stamped else b"- ") + entry.json
    return checksum(content) + content + b"\n"


def decode_line(line: bytes) -> Entry | None:
    """Reads a line without its end; None if it is damaged."""
    content = line[8:]
    if len(line) <= LINE_OVERHEAD - 1 or checksum(content) != line[:8]:
        return None
    return Entry(content[2:], content.startswith(b"s"))


def checksum(content: bytes) -> bytes:
    return b"%08x" % zlib.crc32(content)

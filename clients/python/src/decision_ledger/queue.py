"""Decisions that wait for a batch, in order."""

from collections import deque
from collections.abc import Iterable
from typing import Protocol

from decision_ledger import limits
from decision_ledger.encode import Entry


class Lane(Protocol):
    """
    The members are changed inside the section of the client. `peek` and `tidy`, which the sender calls
    outside, may take their time: nobody waits for them.
    """

    #: Number of decisions that ever entered, and that left.
    added: int
    settled: int

    @property
    def queued(self) -> int:
        """Decisions that wait in memory."""

    @property
    def queued_bytes(self) -> int:
        """Their bytes."""

    def peek(self) -> list[Entry]:
        """The next batch; it stays until it is settled."""

    def settle(self, number: int) -> None:
        """Removes the first decisions, which are delivered or refused."""

    def tidy(self) -> None:
        """Removes from the disk what was settled."""


def take_batch(entries: Iterable[Entry]) -> list[Entry]:
    """The first decisions that make a batch."""
    batch: list[Entry] = []
    size = 0
    for entry in entries:
        size += len(entry.json) + 1
        if batch and size > limits.BATCH_BYTES:
            break
        batch.append(entry)
        if len(batch) == limits.BATCH_DECISIONS:
            break
    return batch


class MemoryQueue:
    """A queue in memory with a limit of decisions and of bytes."""

    def __init__(self, max_decisions: int, max_bytes: int) -> None:
        self._entries: deque[Entry] = deque()
        self._max_decisions = max_decisions
        self._max_bytes = max_bytes
        self.added = 0
        self.settled = 0
        self.queued_bytes = 0

    @property
    def queued(self) -> int:
        return len(self._entries)

    def add(self, entry: Entry) -> bool:
        """Returns False if the queue is full."""
        size = len(entry.json)
        if self.queued >= self._max_decisions or self.queued_bytes + size > self._max_bytes:
            return False
        self._entries.append(entry)
        self.queued_bytes += size
        self.added += 1
        return True

    def peek(self) -> list[Entry]:
        # Only this thread removes entries, so the first ones stay in place while others are added.
        number = min(len(self._entries), limits.BATCH_DECISIONS)
        return take_batch(self._entries[index] for index in range(number))

    def settle(self, number: int) -> None:
        for _ in range(number):
            self.queued_bytes -= len(self._entries.popleft().json)
        self.settled += number

    def tidy(self) -> None:
        """Nothing is on the disk."""

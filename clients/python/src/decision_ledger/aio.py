"""The client for asyncio."""

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from decision_ledger import limits
from decision_ledger.decision import Decision, Receipt
from decision_ledger.errors import DeliveryReport
from decision_ledger.ledger import Ledger
from decision_ledger.recorder import Stats


class AsyncLedger:
    """A ledger whose waits do not block the event loop. The sender is the thread of that ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def record(self, decision: Decision) -> None:
        """As `Ledger.record`: it takes microseconds, except with the option fsync of the outbox."""
        self.ledger.record(decision)

    async def record_durably(self, decision: Decision) -> None:
        """As `record`, for an outbox with fsync: the loop does not wait for the disk."""
        await asyncio.to_thread(self.ledger.record, decision)

    async def record_now(
        self, decision: Decision, *, timeout: float | None = None, signed: bool = False
    ) -> Receipt:
        return await asyncio.to_thread(self.ledger.record_now, decision, timeout=timeout, signed=signed)

    async def flush(self, timeout: float = limits.FLUSH) -> DeliveryReport:
        return await asyncio.to_thread(self.ledger.flush, timeout)

    async def close(self, timeout: float = limits.CLOSE) -> DeliveryReport:
        return await asyncio.to_thread(self.ledger.close, timeout)

    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        return await asyncio.to_thread(
            self.ledger.call, method, path, query=query, body=body, idempotency_key=idempotency_key
        )

    def stats(self) -> Stats:
        return self.ledger.stats()

    async def __aenter__(self) -> "AsyncLedger":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.ledger.__exit__, kind, error, trace)

"""What the tests of the framework hooks share: ledgers that are absent, slow or broken."""

import contextlib
import logging
from collections.abc import Iterator
from typing import Any

from decision_ledger import Ledger
from decision_ledger.integrations.tool_calls import ToolCalls, fixed
from support.fault_proxy import FaultProxy
from support.service import Service

#: What a ledger must not change.
STATES = ["absent", "away", "slow", "broken", "works"]


class BrokenLedger(Ledger):
    """A client with a fault of its own."""

    def record(self, decision: Any) -> None:
        raise RuntimeError("broken")


@contextlib.contextmanager
def ledger_in(state: str, service: Service) -> Iterator[Ledger | None]:
    quiet = logging.getLogger("decision_ledger")
    with FaultProxy(service.url, lambda body: "delay" if state == "slow" else "pass") as proxy:
        if state == "absent":
            yield None
            return
        kind = BrokenLedger if state == "broken" else Ledger
        url = "http://127.0.0.1:9" if state == "away" else proxy.url
        quiet.disabled = state != "works"
        ledger = kind(url, service.test, on_error=lambda problem: None, linger=0.01)
        try:
            yield ledger
        finally:
            quiet.disabled = False
            with contextlib.suppress(Exception):
                ledger.close(timeout=0.2 if state == "away" else 10)


@contextlib.contextmanager
def recording(service: Service, agent: str) -> Iterator[ToolCalls]:
    """Calls that are recorded with a fixed confidence and delivered at the end."""
    with Ledger(service.url, service.test) as ledger:
        yield ToolCalls(ledger, agent_id=agent, confidence=fixed(0.8))

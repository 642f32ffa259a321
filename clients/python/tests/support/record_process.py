"""
Records decisions, and closes the client or waits to be killed. Stores the number of each decision after
`record` has returned, and forks once, if it is asked to: the child records numbers of its own.

Arguments: url, key, outbox, progress, first, last, agent, number at which to fork (0: never), `close` or
`wait`.
"""

import json
import os
import re
import resource
import sys
import time
from pathlib import Path

from decision_ledger import Ledger, Problem


def on_error(problem: Problem) -> None:
    if problem.kind != "delivery":
        os.write(2, f"{problem.kind}: {problem.message}\n".encode())


def main() -> None:
    url, key, outbox, progress = sys.argv[1:5]
    first, last, agent, fork_at = int(sys.argv[5]), int(sys.argv[6]), sys.argv[7], int(sys.argv[8])
    ledger = Ledger(
        url, key, outbox=outbox, max_queued=1000, request_timeout=3, max_retry=0.2, on_error=on_error
    )
    file = os.open(progress, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    children = []
    for n in range(first, last + 1):
        if n == fork_at:
            child = os.fork()
            if child == 0:
                in_child(ledger, agent, n)
            children.append(child)
        record(ledger, agent, n)
        os.pwrite(file, str(n).rjust(12).encode(), 0)
        if n % 50 == 0:
            time.sleep(0.001)
    if sys.argv[9] == "wait":
        time.sleep(600)
    statuses = [os.waitpid(child, 0)[1] for child in children]
    report = ledger.close(timeout=600)
    stats = ledger.stats()
    figures = {
        "accepted": report.accepted,
        "pending": report.pending,
        "failed": report.failed,
        "retries": stats.retries,
        "replayed": stats.replayed,
        "rss": peak_memory(),
        "children": statuses,
    }
    print(f"closed {json.dumps(figures)}", flush=True)


def in_child(ledger: Ledger, agent: str, n: int) -> None:
    """A child of its own sender and folder. Its numbers are negative."""
    code = 1
    try:
        for one in range(1, 101):
            record(ledger, agent, -1000 * n - one)
        report = ledger.close(timeout=600)
        # What a dead process left may be delivered by the child as well.
        code = 0 if report.accepted >= 100 and report.pending == 0 else 2
    finally:
        os._exit(code)


def peak_memory() -> int:
    """In bytes. The maximum of getrusage includes that of the process that started this one."""
    try:
        found = re.search(r"VmHWM:\s*([0-9]+) kB", Path("/proc/self/status").read_text())
    except OSError:
        found = None
    kilobytes = int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes * 1024


def record(ledger: Ledger, agent: str, n: int) -> None:
    # The key and the time depend on n alone, so that a number may be recorded again after a kill.
    ledger.record(
        {
            "idempotency_key": f"{agent}:{n}",
            "timestamp": "2026-01-01T00:00:00Z",
            "agent_id": agent,
            "action_type": "count",
            "inputs": {"n": n, "text": "x" * 200},
            "outputs": {},
            "confidence": 1,
        }
    )


if __name__ == "__main__":
    main()

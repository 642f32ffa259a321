"""Records through a faulty proxy with processes that are killed, and reads the ledger afterwards."""

import json
import random
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.decisions import new_agent, numbers
from support.fault_proxy import FaultProxy, mixed
from support.service import Service

PROGRAM = Path(__file__).with_name("record_process.py")
CLOSED = re.compile(r"closed (\{.*\})")


@dataclass(frozen=True)
class FaultRun:
    #: The numbers in the ledger, in the order of the chain.
    recorded: list[int]
    #: Of the last process.
    figures: dict[str, Any]
    faults: dict[str, int]
    #: Problems other than failed attempts.
    errors: str
    #: What is left in the outbox.
    left: list[str]
    seconds: float


def run_with_faults(service: Service, folder: Path, decisions: int, kills: int, seed: int) -> FaultRun:
    generator = random.Random(seed)
    agent, began = new_agent(), time.monotonic()
    outbox, progress = folder / "outbox", folder / "progress"
    errors = ""
    first = 1
    with FaultProxy(service.url, mixed(seed)) as proxy:
        for part in range(kills + 1):
            share = decisions / (kills + 1)
            kill_at = None if part == kills else int(share * (part + 0.2 + 0.7 * generator.random()))
            fork_at = int(share * (part + 0.1)) if part in (0, kills) else 0
            # A process that is to be killed waits for it, however late it comes.
            last, end = (decisions, "close") if kill_at is None else (int(share * (part + 1)), "wait")
            numbered = [str(first), str(last), agent, str(max(fork_at, first) if fork_at else 0), end]
            arguments = [proxy.url, service.test, str(outbox), str(progress), *numbered]
            output, more = record_until(arguments, progress, kill_at)
            errors += more
            first = max(first, returned(progress) + 1)
        faults = dict(proxy.counts)
    closed = CLOSED.search(output)
    assert closed is not None, errors
    recorded = numbers(service.decisions(agent))
    left = [path.name for path in outbox.iterdir() if not path.name.startswith("anchor-")]
    return FaultRun(recorded, json.loads(closed[1]), faults, errors, left, time.monotonic() - began)


def record_until(arguments: list[str], progress: Path, kill_at: int | None) -> tuple[str, str]:
    process = subprocess.Popen(
        # Newer releases warn about every fork of a process with threads.
        [sys.executable, "-W", "ignore::DeprecationWarning", str(PROGRAM), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while kill_at is not None and process.poll() is None:
        if returned(progress) >= kill_at:
            process.kill()
            break
        time.sleep(0.002)
    output, errors = process.communicate()
    return output, errors


def returned(progress: Path) -> int:
    """The last number whose call has returned."""
    try:
        return int(progress.read_text() or 0)
    except (FileNotFoundError, ValueError):
        return 0

"""
Records a decision and ends. Arguments: url, key, agent, and how it ends: `exit`, `raise`, `SIGTERM` (the
client has the signal), `handled` (the application has it too), `fork`, `worker`, `unclosed`.
"""

import multiprocessing
import os
import signal
import sys
import time

from decision_ledger import Ledger
from support.decisions import decision

url, key, agent, end = sys.argv[1:]


def in_worker(n: int) -> None:
    ledger.record(decision(agent, n))


def by_fork() -> None:
    """Both processes record; the child ends with its own client."""
    child = os.fork()
    ledger.record(decision(agent, 2 if child == 0 else 3))
    if child == 0:
        ledger.close()
        os._exit(0)
    os.waitpid(child, 0)


if end in ("SIGTERM", "handled"):
    if end == "handled":
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
    ledger = Ledger(url, key, linger=60, signals=[signal.SIGTERM])
else:
    ledger = Ledger(url, key, linger=60)
ledger.record(decision(agent, 1))
if end == "raise":
    raise ValueError("the agent fails")
if end in ("SIGTERM", "handled"):
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(60)
if end == "fork":
    by_fork()
if end == "worker":
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=in_worker, args=(n,)) for n in (2, 3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
if end == "unclosed":
    del ledger

"""What clients do when their process forks, ends, or gets a signal."""

import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, Protocol


class Client(Protocol):
    def before_fork(self) -> None: ...
    def after_fork_in_parent(self) -> None: ...
    def after_fork_in_child(self) -> None: ...
    def flush_at_exit(self) -> None: ...


#: Those that are open: one that is forgotten without `close` must still be delivered at the end.
clients: set[Client] = set()
#: The clients whose locks the present fork holds.
held: list[Client] = []


def add(client: Client) -> None:
    clients.add(client)


def remove(client: Client) -> None:
    clients.discard(client)


def before_fork() -> None:
    held[:] = list(clients)
    for client in held:
        client.before_fork()


def in_parent() -> None:
    for client in reversed(held):
        client.after_fork_in_parent()
    held.clear()


def in_child() -> None:
    for client in reversed(held):
        client.after_fork_in_child()
    held.clear()


def flush_all() -> None:
    for client in list(clients):
        client.flush_at_exit()


def flush_at_end_of_worker() -> None:
    """A process that multiprocessing has started ends without the handlers of atexit."""
    process = sys.modules.get("multiprocessing.process")
    util = sys.modules.get("multiprocessing.util")
    if process is not None and util is not None and process.parent_process() is not None:
        util.Finalize(None, flush_all, exitpriority=0)


atexit.register(flush_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=before_fork, after_in_parent=in_parent, after_in_child=in_child)


def on_signals(signals: Sequence[signal.Signals], work: Callable[[], None]) -> None:
    """
    Does the work at the first of the signals, in a thread, and then raises that signal again for the
    handler that was there before. Only the main thread may call it.
    """
    former: dict[int, Any] = {}

    def handle(number: int, frame: FrameType | None) -> None:
        if is_done.is_set():
            pass_on(number, frame, former[number])
        elif not has_begun.is_set():
            has_begun.set()
            threading.Thread(target=run, args=(number,), name="decision-ledger-signal").start()

    def run(number: int) -> None:
        try:
            work()
        finally:
            is_done.set()
            os.kill(os.getpid(), number)

    has_begun, is_done = threading.Event(), threading.Event()
    for one in signals:
        former[one] = signal.signal(one, handle)


def pass_on(number: int, frame: FrameType | None, former: Any) -> None:
    signal.signal(number, former if former is not None else signal.SIG_DFL)
    if callable(former):
        former(number, frame)
    elif former == signal.SIG_DFL:
        os.kill(os.getpid(), number)

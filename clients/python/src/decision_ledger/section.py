"""The lock of a client."""

import threading
from collections import deque
from collections.abc import Callable
from types import TracebackType


class Section:
    """
    One thread at a time changes the state of a client. A signal handler or a finalizer may interrupt that
    thread and record a decision: what it posts waits until the thread leaves, because it would find the
    state half changed.
    """

    def __init__(self, on_leave: Callable[[], None]) -> None:
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._late: deque[Callable[[], None]] = deque()
        self._depth = 0
        #: Called outside, after a thread has left.
        self._on_leave = on_leave

    def post(self, work: Callable[[], None]) -> None:
        """Runs the work inside. When it returns, the work is done, unless this thread is inside already."""
        self._late.append(work)
        with self._lock:
            is_inside = self._depth > 0
        if not is_inside:
            with self:
                pass

    def __enter__(self) -> None:
        self._lock.acquire()
        self._depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        is_last = self._depth == 1
        try:
            self._leave()
        finally:
            self._lock.release()
        if is_last:
            self._on_leave()

    def _leave(self) -> None:
        while self._depth == 1:
            try:
                self._catch_up()
            finally:
                self._depth = 0
            if not self._late:
                return
            self._depth = 1
        self._depth -= 1

    def _catch_up(self) -> None:
        while self._late:
            self._late.popleft()()

    def wait(self, seconds: float | None) -> None:
        """Lets other threads in until one calls `wake`. Call it inside."""
        self._catch_up()
        self._depth = 0
        try:
            self._changed.wait(seconds)
        finally:
            self._depth = 1

    def wake(self) -> None:
        self._changed.notify_all()

    def hold(self) -> None:
        """Before a fork: no thread is inside while the process is copied."""
        self._lock.acquire()

    def resume(self) -> None:
        self._lock.release()

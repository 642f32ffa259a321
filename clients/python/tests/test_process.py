"""Threads, event loops, forks, and the end of a process."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from decision_ledger import AsyncLedger, DecisionsLostError, Ledger, LedgerApiError
from decision_ledger.outbox.segment import write_whole
from support.decisions import decision, new_agent, numbers
from support.service import PATIENCE, Service

TESTS = Path(__file__).parent


@pytest.mark.parametrize(
    ("end", "code", "recorded"),
    [
        ("exit", 0, [1]),
        ("raise", 1, [1]),
        ("SIGTERM", -signal.SIGTERM, [1]),
        ("handled", 7, [1]),
        ("fork", 0, [1, 2, 3]),
        ("worker", 0, [1, 2, 3]),
        ("unclosed", 0, [1]),
    ],
)
def test_a_process_that_ends_delivers_once(
    service: Service, end: str, code: int, recorded: list[int]
) -> None:
    agent = new_agent()
    command = [sys.executable, "-m", "support.end_process", service.url, service.test, agent, end]
    done = subprocess.run(command, cwd=TESTS, timeout=30, capture_output=True)
    assert done.returncode == code, done.stderr
    assert sorted(numbers(service.decisions(agent))) == recorded


#: What a process imports after its client is made, while it delivers a decision.
IMPORTED_LATE = """
import sys
from decision_ledger import Ledger
from support.decisions import decision
ledger = Ledger(sys.argv[1], sys.argv[2])
before = set(sys.modules)
ledger.record(decision(sys.argv[3]))
ledger.close()
print(sorted(set(sys.modules) - before))
"""


def test_a_delivery_imports_no_module_that_a_fork_could_halve(service: Service) -> None:
    command = [sys.executable, "-c", IMPORTED_LATE, service.url, service.test, new_agent()]
    done = subprocess.run(command, cwd=TESTS, timeout=30, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


def test_signals_of_another_thread_are_refused() -> None:
    caught: list[str] = []

    def work() -> None:
        try:
            Ledger("http://127.0.0.1:9", "key", signals=[signal.SIGTERM])
        except ValueError as error:
            caught.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert caught == ["the option signals needs the main thread"]


def test_threads_share_a_client(service: Service, tmp_path: Path) -> None:
    agent = new_agent()
    ledger = Ledger(service.url, service.test, outbox=tmp_path)

    def work(part: int) -> None:
        for n in range(200):
            ledger.record(decision(agent, part * 1000 + n))

    threads = [threading.Thread(target=work, args=(part,)) for part in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ledger.close(PATIENCE).accepted == 1000
    found = numbers(service.decisions(agent))
    assert len(set(found)) == 1000
    for part in range(5):
        own = [n for n in found if n // 1000 == part]
        assert own == sorted(own)


def test_a_signal_handler_that_records_does_not_block(service: Service, tmp_path: Path) -> None:
    agent, count = new_agent(), 0
    ledger = Ledger(service.url, service.test, outbox=tmp_path)

    def handle(number: int, frame: object) -> None:
        nonlocal count
        count += 1
        ledger.record(decision(agent, -count))

    former = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
    try:
        for n in range(2000):
            ledger.record(decision(agent, n))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
    assert count > 5
    assert ledger.close(PATIENCE).accepted == 2000 + count
    assert len(set(numbers(service.decisions(agent)))) == 2000 + count


def test_what_interrupts_a_write_is_stored_after_it(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, interruptions = new_agent(), [2, 3]
    ledger = Ledger(service.url, service.test, outbox=tmp_path)

    def interrupted(file: int, data: bytes) -> None:
        # As a signal handler or a finalizer would, in the middle of a call.
        if interruptions:
            ledger.record(decision(agent, interruptions.pop(0)))
        write_whole(file, data)

    monkeypatch.setattr("decision_ledger.outbox.segment.write_whole", interrupted)
    ledger.record(decision(agent, 1))
    assert ledger.stats().pending == 3
    assert ledger.close().accepted == 3
    assert numbers(service.decisions(agent)) == [1, 2, 3]


def test_a_child_neither_sends_the_queue_of_its_parent_nor_keeps_its_folder(
    service: Service, tmp_path: Path
) -> None:
    agent = new_agent()
    ledger = Ledger(service.url, service.test, outbox=tmp_path, linger=60)
    for n in range(10):
        ledger.record(decision(agent, n))
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            pending = ledger.stats().pending
            ledger.record(decision(agent, 100))
            report = ledger.close()
            os.write(writer, f"{pending} {report.accepted} {report.pending}".encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 100) == b"0 1 0"
    for descriptor in (reader, writer):
        os.close(descriptor)
    assert numbers(service.decisions(agent)) == [100]
    assert ledger.close().accepted == 10
    assert ledger.stats().replayed == 0
    assert numbers(service.decisions(agent)) == [100, *range(10)]


def test_an_event_loop_is_not_blocked(service: Service, tmp_path: Path) -> None:
    agent = new_agent()

    async def main() -> tuple[int, int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.001)
                ticks += 1

        ticking = asyncio.create_task(tick())
        ledger = AsyncLedger(Ledger("http://127.0.0.1:9", "key", on_error=lambda problem: None))
        ledger.record(decision(agent))
        await ledger.flush(timeout=0.2)
        with pytest.raises(DecisionsLostError):
            await ledger.close(timeout=0.01)
        blocked = ticks
        async with AsyncLedger(Ledger(service.url, service.test, outbox=tmp_path)) as other:
            other.record(decision(agent, 1))
            await other.record_durably(decision(agent, 2))
            await other.flush()
            receipt = await other.record_now(decision(agent, 3))
            assert (await other.call("GET", f"/decisions/{receipt['decision_id']}"))["seq"] == receipt["seq"]
            with pytest.raises(LedgerApiError):
                await other.call("GET", "/decisions/dec_none")
            accepted = other.stats().accepted
        ticking.cancel()
        return blocked, accepted

    began = time.monotonic()
    ticks, accepted = asyncio.run(main())
    # While it is blocked, it cannot tick at all.
    assert ticks > 10 and accepted == 3
    assert time.monotonic() - began < 10
    assert numbers(service.decisions(agent)) == [1, 2, 3]

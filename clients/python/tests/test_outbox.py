"""Decisions on disk."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from decision_ledger import DecisionsLostError, Ledger, OutboxOptions, Problem
from decision_ledger.encode import Entry
from decision_ledger.outbox.anchor import AnchorFile
from decision_ledger.outbox.line import decode_line, encode_line
from decision_ledger.outbox.owner import is_local, is_orphan
from decision_ledger.receipts import Anchor
from support.decisions import decision, new_agent, numbers
from support.service import PATIENCE, REPOSITORY, Service

TESTS = Path(__file__).parent
NOWHERE = "http://127.0.0.1:9"


def kill_after_recording(outbox: Path, agent: str, count: int) -> None:
    """Starts a process that records and is killed, while the service is away."""
    os.kill(kill_parent(outbox, agent, count), signal.SIGKILL)


def kill_parent(outbox: Path, agent: str, count: int) -> int:
    """Kills a process that has recorded. Returns the id of its child, which lives on."""
    command = [sys.executable, "-m", "support.outbox_process", NOWHERE, str(outbox), agent, str(count)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=TESTS) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        process.kill()
    return child


def segments(outbox: Path) -> list[Path]:
    return sorted(outbox.glob("w-*/*.ndjson"))


def deliver(service: Service, outbox: Path, problems: list[Problem] | None = None) -> Ledger:
    ledger = Ledger(service.url, service.test, outbox=outbox, on_error=(problems or []).append)
    ledger.flush()
    return ledger


def test_a_process_that_is_killed_loses_nothing_that_returned(service: Service, tmp_path: Path) -> None:
    agent = new_agent()
    kill_after_recording(tmp_path, agent, 250)
    deliver(service, tmp_path).close()
    assert numbers(service.decisions(agent)) == list(range(250))
    assert not list(tmp_path.glob("w-*"))


def test_a_child_does_not_keep_the_folder_of_its_dead_parent(service: Service, tmp_path: Path) -> None:
    agent = new_agent()
    child = kill_parent(tmp_path, agent, 3)
    try:
        assert deliver(service, tmp_path).close().accepted == 3
    finally:
        os.kill(child, signal.SIGKILL)
    assert numbers(service.decisions(agent)) == [0, 1, 2]


def test_files_are_closed_to_other_users(tmp_path: Path) -> None:
    ledger = Ledger(NOWHERE, "key", outbox=tmp_path / "outbox", on_error=lambda problem: None)
    ledger.record(decision("a"))
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "outbox").glob("*/*") if path.is_file()}
    folders = {path.stat().st_mode & 0o777 for path in tmp_path.glob("outbox/w-*")}
    assert (modes, folders, (tmp_path / "outbox").stat().st_mode & 0o777) == ({0o600}, {0o700}, 0o700)
    assert ledger.close(timeout=0.01).pending == 1


def test_torn_and_damaged_lines_harm_no_others(service: Service, tmp_path: Path) -> None:
    agent, problems = new_agent(), list[Problem]()
    kill_after_recording(tmp_path, agent, 5)
    (segment,) = segments(tmp_path)
    lines = segment.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b"refund", b"refuse")
    segment.write_bytes(b"".join(lines) + b'12345678s {"agent')
    ledger = Ledger(service.url, service.test, outbox=tmp_path, on_error=problems.append)
    with pytest.raises(DecisionsLostError, match="1 of 5"):
        ledger.close()
    assert [problem.kind for problem in problems] == ["unreadable"]
    assert numbers(service.decisions(agent)) == [0, 1, 3, 4]


def test_a_line_has_a_checksum() -> None:
    entry = Entry('{"a":"ä"}'.encode(), True)
    line = encode_line(entry)
    assert line[8:] == 's {"a":"ä"}\n'.encode()
    assert decode_line(line[:-1]) == entry
    for damaged in (line[:-2], line.replace(b"a", b"b", 1), b"", b"0" * 9):
        assert decode_line(damaged) is None


def test_memory_is_bounded_and_the_rest_is_read_back(service: Service, tmp_path: Path) -> None:
    agent, is_open = new_agent(), threading.Event()

    def key() -> str:
        is_open.wait()
        return service.test

    ledger = Ledger(service.url, key, outbox=tmp_path, max_queued=20)
    for n in range(1000):
        ledger.record(decision(agent, n))
    stats = ledger.stats()
    assert (stats.queued, stats.pending) == (20, 1000)
    assert stats.outbox_bytes > 100_000
    is_open.set()
    assert ledger.close(PATIENCE).accepted == 1000
    assert numbers(service.decisions(agent)) == list(range(1000))


def test_what_is_delivered_leaves_the_disk(service: Service, tmp_path: Path) -> None:
    agent = new_agent()
    ledger = Ledger(service.url, service.test, outbox=tmp_path)
    for n in range(5):
        ledger.record({**decision(agent, n), "outputs": {"text": "x" * 100_000}})
    ledger.flush()
    assert sum(path.stat().st_size for path in segments(tmp_path)) == 0
    ledger.close()


def test_a_disk_that_refuses_leaves_decisions_in_memory(service: Service, tmp_path: Path) -> None:
    agent, problems = new_agent(), list[Problem]()
    options = OutboxOptions(tmp_path, max_bytes=1)
    ledger = Ledger(service.url, service.test, outbox=options, on_error=problems.append, linger=60)
    for n in range(3):
        ledger.record(decision(agent, n))
    assert ledger.close().accepted == 3
    assert numbers(service.decisions(agent)) == [0, 1, 2]
    assert [problem.kind for problem in problems] == ["outbox"]


def test_fsync_records_as_well(service: Service, tmp_path: Path) -> None:
    agent = new_agent()
    with Ledger(service.url, service.test, outbox=OutboxOptions(tmp_path, fsync=True)) as ledger:
        ledger.record(decision(agent))
    assert numbers(service.decisions(agent)) == [1]


def test_a_living_process_keeps_its_folder(service: Service, tmp_path: Path) -> None:
    agent = new_agent()
    living = Ledger(NOWHERE, "key", outbox=tmp_path, on_error=lambda problem: None)
    living.record(decision(agent))
    assert deliver(service, tmp_path).close().accepted == 0
    assert service.decisions(agent) == []
    assert living.close(timeout=0.01).pending == 1
    assert deliver(service, tmp_path).close().accepted == 1


def test_an_owner_of_an_earlier_start_of_the_machine_is_dead(tmp_path: Path) -> None:
    owner: dict[str, Any] = {"pid": os.getpid(), "bootId": "earlier", "pidNamespace": "x", "host": "other"}
    (tmp_path / "owner.json").write_text(json.dumps(owner))
    assert is_orphan(tmp_path) == is_local(tmp_path)
    (tmp_path / "owner.json").write_text("{")
    assert is_orphan(tmp_path) is False


def test_a_long_path_has_an_owner_too(service: Service, tmp_path: Path) -> None:
    agent, outbox = new_agent(), tmp_path / ("long" * 30)
    living = Ledger(NOWHERE, "key", outbox=outbox, on_error=lambda problem: None)
    living.record(decision(agent))
    assert deliver(service, outbox).close().accepted == 0
    living.close(timeout=0.01)
    assert deliver(service, outbox).close().accepted == 1


def test_the_last_receipt_survives_a_write_that_is_cut(tmp_path: Path) -> None:
    (tmp_path / "w-a").mkdir()
    first = AnchorFile(tmp_path, tmp_path / "w-a", False)
    first.keep(Anchor(1, "a" * 64))
    first.keep(Anchor(2, "b" * 64))
    first.close()
    path = tmp_path / "anchor-w-a"
    path.write_bytes(path.read_bytes()[:150])
    second = AnchorFile(tmp_path, tmp_path / "w-b", False)
    assert second.last == Anchor(1, "a" * 64)
    second.close()


def test_the_next_process_begins_with_the_last_receipt(service: Service, tmp_path: Path) -> None:
    with Ledger(service.url, service.test, outbox=tmp_path) as ledger:
        ledger.record(decision(new_agent()))
        ledger.flush()
        anchor = ledger.anchor
    with Ledger(service.url, service.test, outbox=tmp_path) as ledger:
        assert ledger.anchor == anchor is not None


NODE_RECORDS = """
import { Ledger } from '@decision-ledger/client';
const [url, key, outbox, agent] = process.argv.slice(1);
const ledger = new Ledger({ url, key, outbox, onError() {} });
for (let n = 0; n < 30; n += 1) {
  const outputs = { text: 'ä😀' };
  ledger.record({ agent_id: agent, action_type: 'a', inputs: { n }, outputs, confidence: 1 });
}
process.kill(process.pid, 'SIGKILL');
"""
NODE_DELIVERS = """
import { Ledger } from '@decision-ledger/client';
const [url, key, outbox] = process.argv.slice(1);
const ledger = new Ledger({ url, key, outbox });
console.log((await ledger.close()).accepted, ledger.anchor.seq);
"""


def node(program: str, *arguments: str) -> str:
    command = ["node", "--input-type=module", "-e", program, *arguments]
    done = subprocess.run(command, cwd=REPOSITORY / "packages/client", capture_output=True, text=True)
    return done.stdout + done.stderr


def test_the_typescript_client_delivers_what_this_one_left(service: Service, tmp_path: Path) -> None:
    agent = new_agent()
    kill_after_recording(tmp_path, agent, 30)
    accepted, seq = node(NODE_DELIVERS, service.url, service.test, str(tmp_path)).split()
    assert accepted == "30"
    assert numbers(service.decisions(agent)) == list(range(30))
    with Ledger(service.url, service.test, outbox=tmp_path) as ledger:
        assert ledger.anchor is not None and ledger.anchor.seq == int(seq)


def test_this_client_delivers_what_the_typescript_one_left(service: Service, tmp_path: Path) -> None:
    agent = new_agent()
    node(NODE_RECORDS, NOWHERE, "key", str(tmp_path), agent)
    deliver(service, tmp_path).close()
    found = service.decisions(agent)
    assert numbers(found) == list(range(30))
    assert found[0]["outputs"] == {"text": "ä😀"}


def test_the_typescript_client_sees_that_this_process_lives(service: Service, tmp_path: Path) -> None:
    living = Ledger(NOWHERE, "key", outbox=tmp_path, on_error=lambda problem: None)
    living.record(decision(new_agent()))
    output = node(NODE_DELIVERS.replace("ledger.anchor.seq", "0"), service.url, service.test, str(tmp_path))
    assert output.split() == ["0", "0"]
    living.close(timeout=0.01)


def test_recording_does_not_wait_for_the_service(tmp_path: Path) -> None:
    ledger = Ledger(NOWHERE, "key", outbox=tmp_path, on_error=lambda problem: None)
    began = time.monotonic()
    for n in range(1000):
        ledger.record(decision("a", n))
    assert time.monotonic() - began < 1
    ledger.close(timeout=0.01)

"""Recording and delivery, against the service, behind a proxy that breaks requests."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from decision_ledger import (
    DecisionsLostError,
    Ledger,
    LedgerApiError,
    LedgerConnectionError,
    LedgerDisabledError,
    Problem,
)
from decision_ledger.retry import parse_retry_after, retry_delay
from support.decisions import decision, new_agent, numbers
from support.fault_proxy import FaultProxy, in_order
from support.service import Service


@pytest.fixture
def proxy(service: Service) -> Iterator[FaultProxy]:
    with FaultProxy(service.url, in_order()) as one:
        yield one


def open_ledger(proxy: FaultProxy, service: Service, problems: list[Problem], **options: Any) -> Ledger:
    chosen: dict[str, Any] = {"max_retry": 0.01, "on_error": problems.append, **options}
    return Ledger(proxy.url, service.test, **chosen)


def test_sends_batches_of_at_most_a_hundred_in_order(proxy: FaultProxy, service: Service) -> None:
    agent, problems = new_agent(), list[Problem]()
    ledger = open_ledger(proxy, service, problems)
    for n in range(250):
        ledger.record(decision(agent, n))
    report = ledger.close()
    assert (report.accepted, report.pending, report.failed) == (250, 0, 0)
    assert max(len(batch) for batch in proxy.batches()) == 100
    assert numbers(service.decisions(agent)) == list(range(250))
    assert problems == []


def test_a_batch_is_sent_after_the_linger_without_a_flush(proxy: FaultProxy, service: Service) -> None:
    ledger = open_ledger(proxy, service, [], linger=0.05)
    began = time.monotonic()
    ledger.record(decision(new_agent()))
    while ledger.stats().accepted == 0 and time.monotonic() < began + 10:
        time.sleep(0.005)
    assert time.monotonic() - began >= 0.05
    assert ledger.close().accepted == 1


def test_repeats_a_batch_with_the_same_keys_until_it_is_answered(proxy: FaultProxy, service: Service) -> None:
    agent, problems = new_agent(), list[Problem]()
    proxy.choose = in_order("503", "408", "429", "reset", "lose", "cut", "500")
    ledger = open_ledger(proxy, service, problems)
    for n in range(3):
        ledger.record(decision(agent, n))
    report = ledger.close()
    assert report.accepted == 3
    assert len({body for body in proxy.bodies if body}) == 1
    assert numbers(service.decisions(agent)) == [0, 1, 2]
    assert ledger.stats().replayed == 3
    assert {problem.kind for problem in problems} == {"delivery"}


def test_obeys_retry_after(proxy: FaultProxy, service: Service) -> None:
    proxy.choose, proxy.retry_after = in_order("429"), "1"
    ledger = open_ledger(proxy, service, [])
    began = time.monotonic()
    ledger.record(decision(new_agent()))
    assert ledger.close().accepted == 1
    assert time.monotonic() - began >= 1


def test_delays_are_random_below_a_limit_that_doubles() -> None:
    error = LedgerConnectionError("x")
    assert [retry_delay(attempt, error, lambda: 1.0, 30) for attempt in (1, 2, 3, 20)] == [0.25, 0.5, 1.0, 30]
    assert retry_delay(5, error, lambda: 0.0, 30) == 0
    asked = LedgerApiError("rate_limited", "x", 429, retry_after=900)
    assert retry_delay(1, asked, lambda: 0.0, 30) == 300
    assert parse_retry_after("7", 0) == 7
    assert parse_retry_after("Thu, 01 Jan 1970 00:01:40 GMT", 40) == 60
    assert parse_retry_after("soon", 0) is None


def test_isolates_what_the_service_refuses(proxy: FaultProxy, service: Service, tmp_path: Path) -> None:
    agent, problems = new_agent(), list[Problem]()
    ledger = open_ledger(proxy, service, problems, outbox=tmp_path)
    for n in range(20):
        ledger.record({**decision(agent, n), "confidence": 2.0 if n in (3, 17) else 0.5})
    with pytest.raises(DecisionsLostError, match="2 of 20") as caught:
        ledger.close()
    assert caught.value.report.accepted == 18
    assert numbers(service.decisions(agent)) == [n for n in range(20) if n not in (3, 17)]
    assert [json.loads(one.decision or "")["inputs"]["n"] for one in problems] == [3, 17]
    letters = [json.loads(line) for line in (tmp_path / "dead-letters.ndjson").read_text().splitlines()]
    assert [letter["decision"]["inputs"]["n"] for letter in letters] == [3, 17]
    assert letters[0]["error"]["code"] == "validation_error"
    assert (tmp_path / "dead-letters.ndjson").stat().st_mode & 0o777 == 0o600


def test_halves_a_batch_whose_refusal_names_nothing(proxy: FaultProxy, service: Service) -> None:
    agent, problems = new_agent(), list[Problem]()
    proxy.choose = lambda body: "413" if b'"n":5,' in body else "pass"
    ledger = open_ledger(proxy, service, problems)
    for n in range(9):
        ledger.record(decision(agent, n))
    with pytest.raises(DecisionsLostError):
        ledger.close()
    assert numbers(service.decisions(agent)) == [0, 1, 2, 3, 4, 6, 7, 8]
    assert [problem.kind for problem in problems] == ["refused"]


def test_a_clock_that_is_ahead_does_not_lose_decisions(proxy: FaultProxy, service: Service) -> None:
    agent = new_agent()
    ledger = open_ledger(proxy, service, [], now=lambda: time.time() + 3600)
    ledger.record(decision(agent))
    assert ledger.record_now(decision(agent, 2))["seq"] >= 1
    assert ledger.close().accepted == 2
    assert len(service.decisions(agent)) == 2


@pytest.mark.parametrize("status", ["401", "403", "404", "302"])
def test_waits_where_the_decisions_are_not_at_fault(proxy: FaultProxy, service: Service, status: str) -> None:
    agent, problems = new_agent(), list[Problem]()
    proxy.choose = in_order(status, status)
    ledger = open_ledger(proxy, service, problems)
    ledger.record(decision(agent))
    assert ledger.close().accepted == 1
    assert [problem.kind for problem in problems] == ["delivery", "delivery"]


def test_never_raises_and_counts_what_it_drops(proxy: FaultProxy, service: Service) -> None:
    problems: list[Problem] = []
    ledger = open_ledger(proxy, service, problems, max_queued=5, linger=60)
    wrong: Any
    for wrong in (None, 1, [], {}, {"confidence": object()}):
        ledger.record(wrong)
    for n in range(8):
        ledger.record(decision("full", n))
    assert [problem.kind for problem in problems] == ["dropped"] * 8
    with pytest.raises(DecisionsLostError) as caught:
        ledger.flush()
    # An odd confidence is sent as its text, and the service refuses that one.
    assert (caught.value.report.accepted, caught.value.report.failed) == (4, 9)
    assert len(caught.value.causes) == 9
    assert ledger.flush().failed == 0
    with pytest.raises(DecisionsLostError):
        ledger.close()
    ledger.record(decision("late"))
    assert problems[-1].message == "a decision was dropped: the client is closed"


def test_one_request_records_what_is_valid_and_names_the_rest(
    proxy: FaultProxy, service: Service, tmp_path: Path
) -> None:
    agent, sizes = new_agent(), list[int]()

    def choose(body: bytes) -> str:
        if b"decisions" in body:
            sizes.append(len(json.loads(body)["decisions"]))
        return "pass"

    proxy.choose = choose
    faults: list[dict[str, Any]] = [
        {"agent_id": ""},
        {"action_type": "x" * 300},
        {"confidence": 2},
        {"timestamp": "2999-01-01T00:00:00Z"},
    ]
    ledger = open_ledger(proxy, service, [], outbox=tmp_path)
    for n, fault in enumerate(faults):
        ledger.record(decision(agent, n))
        broken: Any = {**decision(agent, n), **fault}
        ledger.record(broken)
    with pytest.raises(DecisionsLostError) as caught:
        ledger.close()
    assert (caught.value.report.accepted, caught.value.report.failed) == (4, 4)
    assert sizes == [8]
    letters = (tmp_path / "dead-letters.ndjson").read_text().splitlines()
    paths = ["[1].agent_id", "[3].action_type", "[5].confidence", "[7].timestamp"]
    assert len(letters) == 4 and all(path in line for path, line in zip(paths, letters, strict=True))
    assert numbers(service.decisions(agent)) == [0, 1, 2, 3]


def test_a_late_decision_is_recorded_with_its_time_in_the_metadata(service: Service) -> None:
    agent, made = new_agent(), "2020-01-01T00:00:00.000Z"
    with Ledger(service.url, service.test) as ledger:
        ledger.call("PATCH", "/settings", body={"recording": {"max_lateness_seconds": 86_400}})
        ledger.record({**decision(agent), "timestamp": made, "metadata": {"order": "A"}})
        assert ledger.flush().accepted == 1
        ledger.call("PATCH", "/settings", body={"recording": None})
    [found] = service.decisions(agent)
    assert found["metadata"] == {"order": "A", "decided_at": made}


def test_a_handler_that_takes_its_time_holds_up_no_other_thread(proxy: FaultProxy, service: Service) -> None:
    agent, has_begun, may_end = new_agent(), threading.Event(), threading.Event()

    def on_error(problem: Problem) -> None:
        has_begun.set()
        may_end.wait(20)

    ledger = open_ledger(proxy, service, [], on_error=on_error)
    wrong: Any = None
    slow = threading.Thread(target=ledger.record, args=(wrong,))
    slow.start()
    assert has_begun.wait(10)
    began = time.monotonic()
    ledger.record(decision(agent))
    assert ledger.stats().pending == 1
    assert time.monotonic() - began < 5
    may_end.set()
    slow.join()
    with pytest.raises(DecisionsLostError, match="1 of 2"):
        ledger.close()


def test_a_handler_that_flushes_does_not_wait_for_itself(proxy: FaultProxy, service: Service) -> None:
    proxy.choose = in_order("503")

    def on_error(problem: Problem) -> None:
        ledger.flush()

    ledger = open_ledger(proxy, service, [], on_error=on_error)
    began = time.monotonic()
    ledger.record(decision(new_agent()))
    assert ledger.close().accepted == 1
    assert time.monotonic() - began < 5


def test_a_handler_that_raises_or_records_harms_nothing(proxy: FaultProxy, service: Service) -> None:
    agent = new_agent()

    def on_error(problem: Problem) -> None:
        ledger.record(decision(agent, 2))
        raise RuntimeError("handler")

    ledger = open_ledger(proxy, service, [], on_error=on_error)
    wrong: Any = None
    ledger.record(wrong)
    with pytest.raises(DecisionsLostError):
        ledger.close()
    assert numbers(service.decisions(agent)) == [2]


def test_the_sender_survives_faults_of_its_own(
    proxy: FaultProxy, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, problems = new_agent(), list[Problem]()
    faults: list[BaseException] = [SystemExit(1), ZeroDivisionError()]

    def key() -> str:
        if faults:
            raise faults.pop()
        return service.test

    monkeypatch.setattr("decision_ledger.sender.FAULT", 0.01)
    ledger = Ledger(proxy.url, key, on_error=problems.append)
    ledger.record(decision(agent))
    assert ledger.close().accepted == 1
    assert [problem.kind for problem in problems] == ["internal", "internal"]


def test_a_service_that_is_away_is_pending_and_then_lost_without_an_outbox() -> None:
    problems: list[Problem] = []
    ledger = Ledger("http://127.0.0.1:9", "key", on_error=problems.append)
    ledger.record(decision("a"))
    assert ledger.flush(timeout=0.05).pending == 1
    with pytest.raises(DecisionsLostError):
        ledger.close(timeout=0.05)
    assert [one.kind for one in problems if one.kind != "delivery"] == ["dropped"]


def test_record_now_returns_the_receipt_and_raises(proxy: FaultProxy, service: Service) -> None:
    agent = new_agent()
    ledger = open_ledger(proxy, service, [])
    proxy.choose = in_order("503", "lose")
    receipt = ledger.record_now({**decision(agent), "idempotency_key": agent}, signed=True)
    again = ledger.record_now(
        {**decision(agent), "idempotency_key": agent, "timestamp": receipt["timestamp"]}
    )
    assert again["decision_id"] == receipt["decision_id"]
    assert agent not in receipt["signed_receipt"] and receipt["hash"] in receipt["signed_receipt"]
    assert ledger.anchor is not None and ledger.anchor.hash == receipt["hash"]
    with pytest.raises(LedgerApiError) as caught:
        ledger.record_now({**decision(agent), "confidence": 3})
    assert (caught.value.code, caught.value.status) == ("validation_error", 422)
    assert caught.value.fields == ("confidence",)
    with pytest.raises(DecisionsLostError):
        ledger.close()


def test_receipts_that_contradict_the_earlier_ones_are_reported(service: Service) -> None:
    agent, problems = new_agent(), list[Problem]()
    ledger = Ledger(service.url, service.test, on_error=problems.append)
    for _ in range(3):
        ledger.record(decision(agent))
        ledger.flush()
    assert ledger.anchor is not None
    found = ledger.call(
        "GET",
        "/decisions/chain/verify",
        query={"expect_seq": ledger.anchor.seq, "expect_hash": ledger.anchor.hash},
    )
    assert found["is_valid"] is True
    # Another ledger behind the same address: its chain is shorter.
    other = Ledger(service.url, lambda: keys[0], on_error=problems.append)
    keys = [service.test]
    other.record(decision(agent))
    other.flush()
    keys[0] = service.live
    other.record(decision(agent))
    other.close()
    assert [problem.kind for problem in problems] == ["receipt"]


def test_a_receipt_that_overtakes_a_batch_is_no_contradiction(proxy: FaultProxy, service: Service) -> None:
    agent, problems = new_agent(), list[Problem]()
    ledger = open_ledger(proxy, service, problems)
    ledger.record_now(decision(agent, 0))
    proxy.choose = lambda body: "late" if b"decisions" in body else "pass"
    ledger.record(decision(agent, 1))
    flushing = threading.Thread(target=ledger.flush)
    flushing.start()
    while numbers(service.decisions(agent)) != [0, 1]:
        time.sleep(0.01)
    overtaking = ledger.record_now(decision(agent, 2))
    assert ledger.stats().accepted == 2
    flushing.join()
    assert ledger.anchor is not None and ledger.anchor.seq == overtaking["seq"]
    assert ledger.close().accepted == 3
    assert problems == []


def test_disabled_records_nothing(service: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEDGER_DISABLED", "1")
    agent = new_agent()
    ledger = Ledger(service.url, service.test, outbox=tmp_path / "outbox")
    ledger.record(decision(agent))
    with pytest.raises(LedgerDisabledError):
        ledger.record_now(decision(agent))
    assert ledger.flush().accepted == ledger.close().accepted == 0
    assert not (tmp_path / "outbox").exists()
    assert service.decisions(agent) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"url": "ftp://x"}, "url must begin"),
        ({"url": "http://user:pass@x"}, "no user"),
        ({"key": ""}, "option key"),
        ({"max_batch": 101}, "max_batch must be a number from 1 to 100"),
        ({"linger": float("nan")}, "linger"),
    ],
)
def test_an_option_that_is_not_valid_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Ledger(**{"url": "http://x", "key": "k", **options})


def test_no_message_contains_the_key(service: Service) -> None:
    problems: list[Problem] = []
    ledger = Ledger(service.url, "secret\r\nkey", on_error=problems.append)
    ledger.record(decision("a"))
    with pytest.raises(DecisionsLostError) as caught:
        ledger.close(timeout=0.1)
    assert problems and not any("secret" in repr(problem) for problem in problems)
    assert "secret" not in str(caught.value) and "secret" not in repr(ledger._options)

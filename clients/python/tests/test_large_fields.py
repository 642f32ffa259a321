"""What is too large for a request is uploaded, whatever happens in the middle."""

import http.client
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from decision_ledger import Ledger
from decision_ledger.deliver import next_form
from decision_ledger.encode import Entry, dumps
from decision_ledger.errors import LedgerApiError, LedgerConnectionError
from decision_ledger.http import Http, Request
from decision_ledger.large_fields import fit, mark_omitted
from support.service import Service

MIB = 1024 * 1024


def text_of(size: int) -> str:
    """Each line differs, so that a chunk in the wrong place is seen."""
    return "".join(f"line {at} ".ljust(64, "x") for at in range(size // 64))


def decision(agent: str, **members: Any) -> Any:
    heads = {"agent_id": agent, "action_type": "read", "confidence": 0.5}
    return {**heads, "inputs": {}, "outputs": {}, **members}


def stored(service: Service, decision_id: object, field: str) -> bytes:
    address = urlsplit(service.url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port)
    path = f"/api/v1/decisions/{decision_id}/uploads/{field}"
    connection.request("GET", path, headers={"x-ledger-key": service.test})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    assert answer.status == 200
    return content


def test_a_result_of_20_mb_is_read_back_byte_for_byte(service: Service, tmp_path: Path) -> None:
    outputs = {"order": "A-1041", "text": text_of(20 * MIB)}
    with Ledger(service.url, service.test, outbox=str(tmp_path)) as ledger:
        ledger.record(decision("large-20", outputs=outputs))
        assert ledger.flush().accepted == 1
    [found] = service.decisions("large-20")
    assert found["outputs"]["order"] == "A-1041"  # type: ignore[index]
    content = stored(service, found["decision_id"], "outputs")
    assert content == json.dumps(outputs, separators=(",", ":")).encode()


def test_a_decision_that_is_awaited_may_be_large(service: Service) -> None:
    with Ledger(service.url, service.test) as ledger:
        receipt = ledger.record_now(decision("large-now", inputs={"text": text_of(MIB)}))
    assert json.loads(stored(service, receipt["decision_id"], "inputs")) == {"text": text_of(MIB)}


def test_an_outage_in_the_middle_loses_and_repeats_nothing(
    service: Service, tmp_path: Path, monkeypatch: Any
) -> None:
    inputs = {"text": text_of(4 * MIB)}
    send = Http.send
    chunks: list[int] = []
    is_out = True

    def breaking(self: Http, request: Request, timeout: float | None = None) -> Any:
        if is_out and len(chunks) == 2:
            raise LedgerConnectionError("the service is away")
        answer = send(self, request, timeout)
        if request.method == "PATCH":
            chunks.append(int(request.query["offset"]))
        return answer

    monkeypatch.setattr(Http, "send", breaking)
    dying = Ledger(service.url, service.test, outbox=str(tmp_path), on_error=lambda problem: None)
    dying.record(decision("large-outage", inputs=inputs))
    deadline = time.monotonic() + 30
    while len(chunks) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    dying.close(timeout=0.1)
    is_out = False
    with Ledger(service.url, service.test, outbox=str(tmp_path)) as ledger:
        ledger.flush()
    assert chunks == [0, MIB, 2 * MIB, 3 * MIB, 4 * MIB][: len(chunks)]
    [found] = service.decisions("large-outage")
    assert json.loads(stored(service, found["decision_id"], "inputs")) == inputs


def test_what_no_upload_may_hold_leaves_digest_size_and_head(service: Service) -> None:
    metadata = {"note": "y" * 300_000, "order": "A-1"}
    with Ledger(service.url, service.test) as ledger:
        settings = {"recording": {"max_upload_bytes": 262_144}}
        ledger.call("PATCH", "/settings", body=settings)
        ledger.record(decision("large-left", inputs={"text": "é" * 200_000, "odd": 2**64}, metadata=metadata))
        ledger.flush()
        ledger.call("PATCH", "/settings", body={"recording": {"max_upload_bytes": 64 * MIB}})
    [found] = service.decisions("large-left")
    inputs: Any = found["inputs"]
    assert inputs["$degraded"] == "too_large"
    assert inputs["head"].startswith('{"text":"éé')
    kept: Any = found["metadata"]
    assert (kept["order"], kept["note"]["size"]) == ("A-1", 300_002)
    assert kept["degraded"] == ["/inputs", "/inputs/odd", "/metadata/note"]


def test_more_paths_than_are_listed_are_counted() -> None:
    full = {"metadata": {"degraded": [f"/inputs/{at:02}" for at in range(32)], "degraded_count": 40}}
    mark_omitted(full, ["/outputs"])
    assert len(full["metadata"]["degraded"]) == 32  # type: ignore[arg-type]
    assert full["metadata"]["degraded_count"] == 41


def refusing(codes: list[tuple[str, int]]) -> Callable[[Request], Any]:
    """Refuses requests one after the other, then accepts what is uploaded."""

    def send(_request: Request) -> Any:
        if codes:
            code, status = codes.pop(0)
            raise LedgerApiError(code, "refused", status)
        return {"upload_id": "upl_1", "is_complete": True}

    return send


LARGE = dumps(decision("large", inputs={"text": "z" * 300_000}, idempotency_key="k")).encode()


@pytest.mark.parametrize(
    ("codes", "is_uploaded"),
    [
        ([("not_found", 404)], True),
        ([("validation_error", 422)], True),
        ([("validation_error", 422), ("validation_error", 422)], False),
        ([("unknown", 413)], False),
        ([("forbidden", 403)], False),
    ],
)
def test_an_upload_that_is_refused_is_made_anew_or_left_out(
    codes: list[tuple[str, int]], is_uploaded: bool
) -> None:
    inputs = json.loads(fit(LARGE, refusing(codes)))["inputs"]
    if is_uploaded:
        assert inputs == {"$upload": "upl_1"}
    else:
        assert inputs["$degraded"] == "too_large"


def test_an_upload_that_may_be_tried_again_refuses_no_decision() -> None:
    with pytest.raises(LedgerApiError, match="refused"):
        fit(LARGE, refusing([("conflict", 409)]))


def test_uploads_that_are_gone_are_made_again_once() -> None:
    gone = LedgerApiError("conflict", "expired", 409, {"fields": {"decisions[0].inputs": ["is gone"]}})
    renewed = next_form(Entry(LARGE, is_stamped=False), gone)
    assert renewed is not None
    assert renewed.is_renewed
    assert renewed.json == LARGE
    assert next_form(renewed, gone) is None
    assert next_form(Entry(b"{}", is_stamped=False), gone) is None


def test_a_refused_upload_is_tried_again_with_its_decision(service: Service, monkeypatch: Any) -> None:
    send = Http.send
    refused: list[str] = []

    def busy(self: Http, request: Request, timeout: float | None = None) -> Any:
        if request.path == "/uploads" and not refused:
            refused.append(request.path)
            raise LedgerApiError("conflict", "too many uploads wait", 409)
        return send(self, request, timeout)

    monkeypatch.setattr(Http, "send", busy)
    with Ledger(service.url, service.test, on_error=lambda problem: None) as ledger:
        ledger.record(decision("large-refused", inputs={"text": text_of(MIB)}))
        report = ledger.flush()
    assert (report.accepted, report.failed, refused) == (1, 0, ["/uploads"])
    [found] = service.decisions("large-refused")
    assert found["inputs"]["$upload"]["size"] > MIB  # type: ignore[index]

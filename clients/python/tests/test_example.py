"""The example of the documentation runs as it is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.service import REPOSITORY, Service

pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed", exc_type=ImportError)


def test_the_example_ends_in_a_valid_chain_and_a_figure(service: Service, tmp_path: Path) -> None:
    # The live ledger is empty: other tests record in the test ledger, and in this one only after it.
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / "examples/pydantic-ai/agent.py")],
        env={**os.environ, "LEDGER_URL": service.url, "LEDGER_KEY": service.live},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, *decisions, figure = done.stdout.splitlines()
    assert first == "3 decisions, chain valid"
    # The agent runs its calls side by side, so the ledger may have either refund first.
    assert sorted(decisions) == [
        "refund A-1, confidence 0.93",
        "refund A-2, confidence 0.71",
        "refund_in_full A-3, confidence 0.6, decided by a person",
    ]
    assert figure == "net impact: -64.00 USD"

"""What users copy runs as it is: from the wheel, without any other package, and with OpenTelemetry."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.service import REPOSITORY, Service

CLIENT = REPOSITORY / "clients/python"


def run(cwd: Path, *command: str | Path, **environment: str) -> str:
    """What a command prints; it must end well."""
    done = subprocess.run(
        [str(part) for part in command],
        env={"PATH": os.environ["PATH"], **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def snippets(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (REPOSITORY / page).read_text(), re.DOTALL)


def test_the_readme_runs_from_the_wheel_alone(service: Service, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check"]
    run(tmp_path, *pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, CLIENT)
    (wheel,) = tmp_path.glob("*.whl")
    run(tmp_path, sys.executable, "-m", "venv", "--without-pip", "empty")
    python = tmp_path / "empty/bin/python"
    run(tmp_path, *pip, "--python", python, "install", "--no-index", wheel)
    (snippet,) = snippets("clients/python/README.md")
    (tmp_path / "snippet.py").write_text(snippet)
    before = len(service.decisions("refund-bot"))
    run(tmp_path, python, "snippet.py", LEDGER_URL=service.url, LEDGER_KEY=service.test)
    found = service.decisions("refund-bot")
    assert [one["inputs"] for one in found[before:]] == [{"order": "A-1041"}]
    run(tmp_path, sys.executable, "-m", "mypy", "--strict", "--python-executable", python, "snippet.py")


def test_the_snippet_for_opentelemetry_records_a_span(service: Service, tmp_path: Path) -> None:
    exporter = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
    pytest.importorskip(exporter, reason="OpenTelemetry is not installed", exc_type=ImportError)
    (snippet,) = [one for one in snippets("docs/python.md") if "OTLPSpanExporter" in one]
    (tmp_path / "snippet.py").write_text(snippet)
    with service.ledger() as ledger:
        ledger.call("PATCH", "/settings", body={"otlp": {"preset": "gen_ai_1.45"}})
    endpoint = {"LEDGER_URL": service.url, "LEDGER_KEY": service.test}
    assert run(tmp_path, sys.executable, "snippet.py", **endpoint) == ""
    (found,) = service.decisions("refund-agent")
    assert found["action_type"] == "refund"
    assert found["inputs"] == {"order": "A-1041"}
    assert found["outputs"] == {"approved": True, "amount": "49.00"}
    metadata = found["metadata"]
    assert found["confidence"] == 0.93
    assert isinstance(metadata, dict) and metadata["confidence_source"] == "attribute"

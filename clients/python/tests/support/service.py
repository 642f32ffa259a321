"""The service as a process, as an operator starts it."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from decision_ledger import Ledger

REPOSITORY = Path(__file__).parents[4]
PROGRAM = REPOSITORY / "packages/server/bin/decision-ledger.js"
# How long the delivery of many decisions may take on a busy machine, in s.
PATIENCE = 120.0
LISTENS = re.compile(rb"listens on (http\S+)")
RAISED = {"batch_per_second": 1_000_000, "read_per_second": 1_000_000, "ingest_per_second": 1_000_000}


@dataclass(frozen=True)
class Service:
    url: str
    live: str
    test: str

    def ledger(self) -> Ledger:
        """A client for what a test asks the service."""
        return Ledger(self.url, self.test)

    def decisions(self, agent_id: str, key: str | None = None) -> list[dict[str, object]]:
        """The decisions of an agent, in the order of the chain."""
        client = Ledger(self.url, key or self.test)
        found: list[dict[str, object]] = []
        query: dict[str, object] = {"agent_id": agent_id, "limit": 500}
        while True:
            page = client.call("GET", "/decisions", query=query)
            found += page["decisions"]
            if page.get("next_cursor") is None:
                client.close()
                return sorted(found, key=lambda one: int(str(one["seq"])))
            query["cursor"] = page["next_cursor"]

    def verify(self, key: str | None = None) -> dict[str, object]:
        client = Ledger(self.url, key or self.test)
        found = client.call("GET", "/decisions/chain/verify")
        client.close()
        return dict(found)


@contextmanager
def running_service() -> Iterator[Service]:
    folder = Path(tempfile.mkdtemp(prefix="ledger-python-"))
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
    settings = {"LEDGER_DATA_DIR": str(folder), "LEDGER_PORT": "0", "LEDGER_LOG_LEVEL": "warn"}
    command = ["node", str(PROGRAM), "serve"]
    with open(folder.with_suffix(".log"), "wb") as log:
        process = subprocess.Popen(
            command, env={**environment, **settings}, stdout=subprocess.PIPE, stderr=log
        )
    try:
        assert process.stdout is not None
        url = next(found[1].decode() for line in process.stdout if (found := LISTENS.search(line)))
        keys = json.loads((folder / "keys.json").read_text())
        with Ledger(url, keys["live"]) as ledger:
            ledger.call("PATCH", "/settings", body={"rate_limits": RAISED})
        yield Service(url, keys["live"], keys["test"])
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)
        folder.with_suffix(".log").unlink()

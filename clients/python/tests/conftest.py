from collections.abc import Iterator

import pytest

from support.service import Service, running_service


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    with running_service() as one:
        yield one


@pytest.fixture(autouse=True)
def enabled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEDGER_DISABLED", raising=False)

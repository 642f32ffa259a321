"""Exactly once, through faults of the network, kills and forks."""

from pathlib import Path

import pytest

from support.fault_rounds import FaultRun, run_with_faults
from support.service import Service


def check(run: FaultRun, decisions: int, service: Service) -> None:
    own = [n for n in run.recorded if n > 0]
    children = [n for n in run.recorded if n < 0]
    assert sorted(own) == list(range(1, decisions + 1))
    # Two processes forked, and each child recorded a hundred.
    assert len(children) == len(set(children)) == 200
    assert run.errors == ""
    assert run.figures["children"] == [0]
    assert (run.figures["pending"], run.figures["failed"]) == (0, 0)
    assert run.left == []
    assert all(run.faults[kind] > 0 for kind in ("reset", "lose", "cut", "delay"))
    assert service.verify()["is_valid"] is True


def test_a_thousand_decisions_are_recorded_exactly_once(service: Service, tmp_path: Path) -> None:
    check(run_with_faults(service, tmp_path, 1000, kills=2, seed=7), 1000, service)


@pytest.mark.long
def test_a_hundred_thousand_decisions_are_recorded_exactly_once(service: Service, tmp_path: Path) -> None:
    run = run_with_faults(service, tmp_path, 100_000, kills=10, seed=11)
    rss = run.figures["rss"] / 2**20
    print(f"\n100,000 decisions, 10 kills, 2 forks: {run.seconds:.0f} s, {rss:.0f} MiB, {run.faults}")
    check(run, 100_000, service)
    assert rss < 100

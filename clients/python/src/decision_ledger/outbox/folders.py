"""The folders of the processes that share an outbox."""

import os
from pathlib import Path

from decision_ledger.outbox.owner import Ownership, is_orphan

WRITER = "w-"
ADOPTED = "a-"


def create_folder(outbox: Path) -> tuple[Path, Ownership]:
    """Creates a folder of this process. It gets its name once it has its owner."""
    outbox.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = os.urandom(6).hex()
    draft = outbox / f"new-{name}"
    draft.mkdir(mode=0o700)
    ownership = Ownership(draft)
    path = outbox / f"{WRITER}{name}"
    draft.rename(path)
    return path, ownership


def adopt_orphans(outbox: Path, own: Path) -> list[Path]:
    """
    Moves the folders of dead processes into the folder of this one. A rename succeeds for exactly one
    process. Returns the moved folders.
    """
    adopted: list[Path] = []
    for path in outbox.glob(f"{WRITER}*"):
        if path == own or not is_orphan(path):
            continue
        moved = move(path, own / f"{ADOPTED}{path.name[len(WRITER) :]}")
        if moved is None:
            continue
        # What a dead process had adopted itself.
        inner = [move(one, own / one.name) for one in moved.glob(f"{ADOPTED}*")]
        adopted += [one for one in (*inner, moved) if one is not None]
    return adopted


def move(source: Path, target: Path) -> Path | None:
    try:
        return source.rename(target)
    except OSError:
        # Another process was faster.
        return None

"""Where the values of a decision are that are not what they were: JSON Pointers (RFC 6901)."""

from collections.abc import Callable, Sequence
from typing import Any

#: Paths that are named. Beyond them, they are counted.
MAX_PATHS = 32
#: Characters of a path. A longer one names the container.
MAX_PATH = 256


class Marks:
    def __init__(self) -> None:
        self.paths: list[str] = []
        self._count = 0

    def add(self, names: Sequence[str]) -> None:
        """`names` of the members and elements lead to the value."""
        if len(self.paths) >= MAX_PATHS:
            self._count += 1
            return
        path = pointer_of(names)
        if path not in self.paths:
            self._count += 1
            self.paths.append(path)

    def join(self, other: "Marks") -> None:
        """Adds the marks of another copy."""
        added = [path for path in other.paths if path not in self.paths]
        self._count += len(added) + other._count - len(other.paths)
        self.paths = [*self.paths, *added][:MAX_PATHS]

    def move(self, source: str, target: str) -> None:
        """After a value was moved into a new container."""
        self.paths = [
            target + path[len(source) :] if path == source or path.startswith(f"{source}/") else path
            for path in self.paths
        ]

    def keep(self, is_kept: Callable[[list[str]], bool]) -> None:
        """Leaves out paths, whose names a mask has removed."""
        kept = [path for path in self.paths if is_kept(names_in(path))]
        self._count -= len(self.paths) - len(kept)
        self.paths = kept

    @property
    def metadata(self) -> dict[str, Any]:
        """The members of the metadata that tell them."""
        if self._count == 0:
            return {}
        counted = {} if self._count == len(self.paths) else {"degraded_count": self._count}
        return {"degraded": sorted(self.paths), **counted}


def pointer_of(names: Sequence[str]) -> str:
    path = ""
    for name in names:
        longer = f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
        if len(longer) > MAX_PATH:
            return path
        path = longer
    return path


def names_in(path: str) -> list[str]:
    return [name.replace("~1", "/").replace("~0", "~") for name in path.split("/")[1:]]

"""What is removed from a decision before it is queued, stored or sent."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

#: A path to a value: names joined by points, or the names. `*` matches any member or element.
MaskPath = str | Sequence[str]
#: Gets a copy of the decision as JSON, and returns what is recorded.
MaskFunction = Callable[[dict[str, Any]], Mapping[str, Any]]

PAYLOAD_FIELDS = ("inputs", "outputs", "alternatives", "metadata")


@dataclass(frozen=True)
class MaskPaths:
    """Replaces the values at the paths."""

    paths: Sequence[MaskPath]
    replacement: str = "[masked]"


@dataclass(frozen=True)
class AllowPaths:
    """Removes everything else from the payload."""

    paths: Sequence[MaskPath]


Mask = MaskPaths | AllowPaths | MaskFunction


@dataclass
class Branch:
    """A tree of the names of paths."""

    members: "dict[str, Branch]" = field(default_factory=dict)
    is_end: bool = False


def compile_mask(mask: Mask) -> MaskFunction:
    """The function of a mask. It may change its argument. Raises ValueError if a path is empty."""
    if isinstance(mask, MaskPaths):
        tree, replacement = tree_of(mask.paths), mask.replacement
        return lambda decision: replace_at(decision, tree, replacement)
    if isinstance(mask, AllowPaths):
        allowed = tree_of(mask.paths)
        return lambda decision: keep_payload(decision, allowed)
    if not callable(mask):
        raise TypeError("the option mask must be MaskPaths, AllowPaths or a function")
    return mask


def tree_of(paths: Sequence[MaskPath]) -> Branch:
    root = Branch()
    for path in paths:
        names = path.split(".") if isinstance(path, str) else list(path)
        if not names or "" in names:
            raise ValueError("a path of the mask is empty: give names such as inputs.email")
        branch = root
        for name in names:
            branch = branch.members.setdefault(name, Branch())
        branch.is_end = True
    return root


def branches_at(branches: Sequence[Branch], name: str) -> list[Branch]:
    found = [branch.members.get(key) for branch in branches for key in (name, "*")]
    return [branch for branch in found if branch is not None]


def members_of(value: object) -> list[tuple[Any, str, Any]]:
    """Key, name and value of each member or element; none of a scalar."""
    if isinstance(value, dict):
        return [(key, key, member) for key, member in value.items()]
    if isinstance(value, list):
        return [(index, str(index), member) for index, member in enumerate(value)]
    return []


def unnumbered(name: str) -> str:
    """A member whose key is repeated has a number after it in the copy: what hides one, hides all."""
    return re.sub(r" \([0-9]+\)$", "", name)


def replace_at(decision: dict[str, Any], tree: Branch, replacement: str) -> dict[str, Any]:
    def visit(node: Any, branches: Sequence[Branch], parents: tuple[str, ...]) -> None:
        for key, name, member in members_of(node):
            found = [*branches_at(branches, name), *branches_at(branches, unnumbered(name))]
            path = (*parents, name)
            if any(branch.is_end for branch in found):
                node[key] = stand_in(path, replacement)
            elif found:
                visit(member, found, path)

    visit(decision, [tree], ())
    return decision


def stand_in(path: tuple[str, ...], replacement: str) -> Any:
    """What replaces a value: the service refuses a text in the place of a whole payload field."""
    if path[0] == "alternatives":
        return [] if len(path) == 1 else {} if len(path) == 2 else replacement
    return {} if len(path) == 1 and path[0] in PAYLOAD_FIELDS else replacement


def keep_payload(decision: dict[str, Any], tree: Branch) -> dict[str, Any]:
    for name in PAYLOAD_FIELDS:
        if name not in decision:
            continue
        is_kept, kept = kept_of(decision[name], branches_at([tree], name))
        if is_kept:
            decision[name] = kept
        elif name in ("inputs", "outputs"):
            decision[name] = {}
        else:
            del decision[name]
    return decision


def kept_of(value: Any, branches: Sequence[Branch]) -> tuple[bool, Any]:
    """Whether a part of the value is allowed, and that part."""
    if any(branch.is_end for branch in branches):
        return True, value
    if not branches or not isinstance(value, (dict, list)):
        return False, None
    kept = [(key, *kept_of(member, branches_at(branches, name))) for key, name, member in members_of(value)]
    if isinstance(value, list):
        return True, [part for _, is_kept, part in kept if is_kept]
    return True, {key: part for key, is_kept, part in kept if is_kept}

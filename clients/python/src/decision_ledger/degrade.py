"""Copies a value as JSON that the service can hold; nothing beside a value that it cannot hold changes."""

import re
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from decision_ledger.forms import MAX_VALUES, UNREADABLE, Container, Digests, Form, form_of
from decision_ledger.marks import Marks

# What is copied of one decision: a value may lead to the same large one again and again.
#: Containers within one another: the service allows 64 in a field of a decision.
DEPTH = 65
CHARACTERS = 64 * 1024 * 1024
#: Values of a container that is copied before larger ones.
SMALL = 1_000
#: Of a text beyond them.
HEAD = 8192
DIGESTED = 16 * 1024 * 1024
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
MISSING = object()


@dataclass
class Frame:
    """A container whose values wait to be copied."""

    parent: "Frame | None"
    #: In the container around it.
    name: str
    depth: int
    source: Container
    copy: Any
    #: How often a key came, if any came twice.
    repeats: dict[str, int] = field(default_factory=dict)


def degrade(value: Any) -> tuple[Any, Marks]:
    """
    The copy, and the marks of what became something else. Each member is read once, whatever it raises, and
    time and size are bounded.
    """
    copier = Copier()
    return copier.copy(value), copier.marks


class Copier:
    """
    No recursion, so that depth is no danger. Deep and large containers come last, so that they cost nothing
    beside them.
    """

    def __init__(self) -> None:
        self.marks = Marks()
        self._small: deque[Frame] = deque()
        self._large: deque[Frame] = deque()
        self._digests = Digests(DIGESTED)
        self._values = MAX_VALUES
        self._characters = CHARACTERS

    def copy(self, value: Any) -> Any:
        copy = self._copy_of(value, "", None)
        while queue := self._small or self._large:
            self._fill(queue.popleft())
        return copy

    def _fill(self, frame: Frame) -> None:
        source = frame.source
        length = min(source.length, self._values)
        self._values -= length
        for at in range(length):
            value = read(source)
            if source.keys is None:
                frame.copy.append(self._copy_of(value, str(at), frame))
            else:
                name = self._name_of(frame, source.keys[at])
                frame.copy[name] = self._copy_of(value, name, frame)
        if source.length > length:
            self._cut(frame, length)

    def _copy_of(self, value: Any, name: str, parent: Frame | None) -> Any:
        if type(value) is str and self._is_held(value):
            return value
        form: Form | Container = UNREADABLE
        if value is not MISSING:
            try:
                form = form_of(value, self._digests)
            except Exception:  # what the value itself raises
                pass
        if isinstance(form, Container):
            return self._enter(form, name, parent)
        written = self._text(form.value) if isinstance(form.value, str) else form.value
        if not form.is_exact or written != form.value:
            self._mark(name, parent)
        return written

    def _enter(self, source: Container, name: str, parent: Frame | None) -> Any:
        depth = 1 if parent is None else parent.depth + 1
        if is_within(parent, source.source):
            return self._instead("[cycle]", name, parent)
        if depth > DEPTH:
            return self._instead("[too deep]", name, parent)
        if not source.is_exact:
            self._mark(name, parent)
        copy: Any = [] if source.keys is None else {}
        queue = self._large if source.length > SMALL else self._small
        queue.append(Frame(parent, name, depth, source, copy))
        return copy

    def _instead(self, text: str, name: str, parent: Frame | None) -> str:
        self._mark(name, parent)
        return text

    def _cut(self, frame: Frame, length: int) -> None:
        """Says how much of a container is left out."""
        text = f"[{frame.source.length - length} more]"
        if frame.source.keys is None:
            frame.copy.append(self._instead(text, str(length), frame))
        else:
            name = self._name_of(frame, "[more]")
            frame.copy[name] = self._instead(text, name, frame)

    def _name_of(self, frame: Frame, key: Any) -> str:
        """The name of a member in the copy. Keys that become the same are numbered."""
        text = self._text(key if type(key) is str else text_of_key(key))
        wanted = name = "[__proto__]" if text == "__proto__" else text
        while name in frame.copy:
            frame.repeats[wanted] = frame.repeats.get(wanted, 1) + 1
            name = f"{wanted} ({frame.repeats[wanted]})"
        if not isinstance(key, str) or name != key:
            self._mark(name, frame)
        return name

    def _is_held(self, text: str) -> bool:
        """Most texts need no search."""
        is_held = len(text) <= self._characters and text.isascii() and "\0" not in text
        if is_held:
            self._characters -= len(text)
        return is_held

    def _text(self, text: str) -> str:
        """A text without what the service cannot hold, such as half of an emoji that was cut."""
        if self._is_held(text):
            return text
        is_long = len(text) > self._characters
        kept = text[: min(HEAD, self._characters)] if is_long else text
        self._characters -= len(kept)
        if UNSTORABLE.search(kept):
            whole = kept.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            # Two halves that stand side by side are a whole character.
            kept = whole.replace("\0", "\ufffd")
        return f"{kept}[cut]" if is_long else kept

    def _mark(self, name: str, parent: Frame | None) -> None:
        if parent is not None:
            self.marks.add(names_to(name, parent))


def is_within(frame: Frame | None, source: object) -> bool:
    while frame is not None and frame.source.source is not source:
        frame = frame.parent
    return frame is not None


def names_to(name: str, parent: Frame) -> list[str]:
    """The names that lead from the root to a value."""
    names = [name]
    frame = parent
    while frame.parent is not None:
        names.append(frame.name)
        frame = frame.parent
    return names[::-1]


def read(source: Container) -> Any:
    """The next value, or `MISSING` if it raises."""
    try:
        return next(source.values)
    except Exception:  # what the value itself raises
        return MISSING


def text_of_key(key: Any) -> str:
    """Keys that are no texts are written as JSON writes such values."""
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, bool) or key is None:
        return {True: "true", False: "false", None: "null"}[key]
    try:
        form = form_of(key, Digests(0))
        return f"[{type(key).__name__}]" if isinstance(form, Container) else str(form.value)
    except Exception:  # what the key itself raises
        return "[unreadable]"

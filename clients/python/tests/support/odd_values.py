"""The values of the cases of `vectors/values.json`, by name."""

import dataclasses
import importlib
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

#: Of the error as JavaScript names it.
RangeError = type("RangeError", (Exception,), {})


class Action(Enum):
    REFUND = "refund"


@dataclasses.dataclass
class Line:
    amount: Decimal = Decimal("49.00")


class Bad:
    """A default that raises when it is read."""

    def __get__(self, holder: object, kind: type | None = None) -> Any:
        if holder is None:
            return self
        raise RuntimeError("no value")

    def __set__(self, holder: object, value: object) -> None:
        pass


@dataclasses.dataclass
class Raising:
    amount: Decimal = Decimal("49.00")
    bad: Any = Bad()


class Wallet:
    def __init__(self) -> None:
        self._secret = "x"


class Odd:
    pass


class Money:
    def __str__(self) -> str:
        return "49.00 EUR"


class NoText:
    def __str__(self) -> str:
        raise RuntimeError("no text")


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def cycle() -> Any:
    value: dict[str, Any] = {}
    value["self"] = value
    return value


def endless() -> Iterator[int]:
    while True:
        raise RuntimeError("never read")
        yield 1


def shared() -> Any:
    one = {"a": 1}
    return [one, one]


def model(odd: bool = False) -> Any:
    pydantic: Any = importlib.import_module("pydantic")
    fields = {"amount": (str, "49.00"), **({"odd": (Any, Odd())} if odd else {})}
    return pydantic.create_model("Line", **fields)()


def numpy() -> Any:
    return importlib.import_module("numpy")


def pandas() -> Any:
    return importlib.import_module("pandas")


ODD_VALUES: dict[str, Callable[[], Any]] = {
    "NaN": lambda: float("nan"),
    "Infinity": lambda: float("inf"),
    "negative Infinity": lambda: float("-inf"),
    "negative zero": lambda: -0.0,
    "integer within 2^53": lambda: 49,
    "integer beyond 2^53": lambda: 9007199254740993,
    "negative integer beyond 2^53": lambda: -9007199254740993,
    "integer of 30 digits": lambda: 123456789012345678901234567890,
    "integer of 5,000 digits": lambda: 10**4999,
    "float beyond 2^53": lambda: 1e300,
    "Decimal": lambda: Decimal("12.50"),
    "Decimal that is no number": lambda: Decimal("NaN"),
    "complex number": lambda: complex(1, 2),
    "U+0000": lambda: "a\0b",
    "lone surrogate": lambda: "cut \ud83d",
    "whole emoji": lambda: "\U0001f600",
    "text of 1,000,000 characters": lambda: "x" * 1_000_000,
    "key __proto__": lambda: {"__proto__": 1},
    "integers as keys": lambda: {1: "a"},
    "keys that are no text": lambda: {None: 1, True: 2},
    "keys that become the same": lambda: {1: "a", "1": "b"},
    "keys that are the same when they can be held": lambda: {chr(0xDC00): 1, chr(0xD800): 2},
    "key with signs of a JSON Pointer": lambda: {"a/b~c": float("nan")},
    "key too long for a path": lambda: {"k" * 300: float("nan")},
    "set": lambda: {"b", "a"},
    "empty set": lambda: frozenset(),
    "mapping with text keys": lambda: importlib.import_module("types").MappingProxyType({"a": 1}),
    "tuple": lambda: (1, "a"),
    "cycle": cycle,
    "shared reference": shared,
    "depth of 100": lambda: nested(100),
    "list of 100,000": lambda: [0] * 100_000,
    "array of numpy": lambda: numpy().array([[1, 2], [3, 4]]),
    "scalar of numpy": lambda: numpy().int64(49),
    "time of numpy": lambda: numpy().datetime64("2026-01-02T00:00:00"),
    "series of pandas": lambda: pandas().Series([1.0, float("nan")]),
    "table of pandas": lambda: pandas().DataFrame({"order": ["A-1", "A-2"], "lines": [1, 2]}),
    "missing time of pandas": lambda: pandas().NaT,
    "bytes": lambda: b"\x00\xffrefund",
    "no bytes": lambda: b"",
    "buffer": lambda: memoryview(bytearray(b"abc")),
    "time with a zone": lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=2))),
    "time without a zone": lambda: datetime(2026, 1, 2, 3, 4, 5),
    "day": lambda: date(2026, 1, 2),
    "duration": lambda: timedelta(days=1, seconds=90),
    "UUID": lambda: UUID(int=1),
    "enumeration": lambda: Action.REFUND,
    "data class": Line,
    "model of pydantic": model,
    "model of pydantic with an odd field": lambda: model(odd=True),
    "exception": lambda: RangeError("no stock"),
    "function": lambda: endless,
    "generator": endless,
    "property that throws": Raising,
    "conversion that throws": NoText,
    "class without public fields": Wallet,
    "class with a text": Money,
}

"""What JSON can hold of a value: the table of docs/values.md."""

import dataclasses
import hashlib
import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from itertools import islice
from pathlib import PurePath
from typing import Any
from uuid import UUID

from decision_ledger.canonical import number
from decision_ledger.json_text import MAX_SAFE, NumberText, Pairs

#: Beyond it, decimal digits take more than linear time.
MAX_DECIMAL = 10**4300
#: Values of a container that are looked at.
MAX_VALUES = 90_000

Scalar = str | int | float | bool | None


@dataclass(frozen=True)
class Form:
    """What JSON can hold of a value. `is_exact`: nothing of it is lost."""

    value: Scalar
    is_exact: bool = True


@dataclass(frozen=True)
class Container:
    """A list, or with keys the members of an object. `length` counts also the values that are not there."""

    source: object
    values: Iterator[Any]
    length: int
    keys: list[Any] | None = None
    is_exact: bool = True


#: What raises when it is read.
UNREADABLE = Form("[unreadable]", False)


class Digests:
    """Hashes bytes, up to a number of them."""

    def __init__(self, limit: int) -> None:
        self._left = limit

    def of(self, data: memoryview) -> str | None:
        if data.nbytes > self._left:
            return None
        self._left -= data.nbytes
        return hashlib.sha256(data).hexdigest()


def form_of(value: Any, digests: Digests) -> Form | Container:
    """Raises what the value raises when it is read."""
    if value is None or value is True or value is False:
        return Form(value)
    if type(value) is dict:
        return mapping_form(value)
    if type(value) is list:
        return Container(value, iter(value), len(value))
    if isinstance(value, Enum):
        return form_of(value.value, digests)
    if isinstance(value, (str, int, float, Decimal, UUID, PurePath, date, time, timedelta, NumberText)):
        return scalar_form(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes_form(memoryview(value), digests)
    if isinstance(value, BaseException):
        return members_form(value, {"type": type(value).__name__, "message": str(value)}, False)
    return container_form(value) or foreign_form(value, digests)


def scalar_form(value: Any) -> Form:
    if isinstance(value, str):
        return Form(str.__str__(value))
    if isinstance(value, int):
        return integer_form(int.__int__(value))
    if isinstance(value, float):
        return float_form(float.__float__(value))
    if isinstance(value, NumberText):
        return Form(value.text, False)
    if isinstance(value, timedelta):
        return Form(str(value), False)
    if isinstance(value, (date, time)):
        # The missing time of pandas is a datetime without a value.
        return Form(value.isoformat(), not isinstance(value, datetime) or value == value)
    return Form(str(value), not isinstance(value, Decimal) or value.is_finite())


def integer_form(value: int) -> Form:
    """Beyond 2^53 - 1, readers lose digits."""
    if abs(value) <= MAX_SAFE:
        return Form(value)
    return Form(str(value) if abs(value) < MAX_DECIMAL else hex(value), False)


def float_form(value: float) -> Form:
    if math.isnan(value):
        return Form("NaN", False)
    if math.isinf(value):
        return Form("Infinity" if value > 0 else "-Infinity", False)
    return Form(value) if abs(value) <= MAX_SAFE else Form(number(value), False)


def bytes_form(data: memoryview, digests: Digests) -> Container:
    sha256 = digests.of(data)
    named = {} if sha256 is None else {"sha256": sha256}
    return members_form(data, {"$degraded": "bytes", **named, "size": data.nbytes}, False)


def container_form(value: Any) -> Container | None:
    if isinstance(value, Pairs):
        keys = [key for key, _ in value.entries]
        return Container(value, iter([member for _, member in value.entries]), len(keys), keys)
    if isinstance(value, Mapping):
        return mapping_form(value)
    if isinstance(value, (list, tuple, deque, Sequence)):
        return Container(value, iter(value), len(value))
    if isinstance(value, Set):
        return Container(value, iter(in_order(value)), len(value), is_exact=False)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return fields_form(value, [one.name for one in dataclasses.fields(value)])
    return None


def mapping_form(value: Mapping[Any, Any]) -> Container:
    items = dict.items(value) if isinstance(value, dict) else value.items()
    entries = list(islice(items, MAX_VALUES))
    length = len(entries) if len(entries) < MAX_VALUES else max(len(value), MAX_VALUES)
    return Container(value, iter([member for _, member in entries]), length, [key for key, _ in entries])


def in_order(values: Iterable[Any]) -> list[Any]:
    """A set has no order of its own; that of Python differs from run to run."""
    found = list(islice(values, MAX_VALUES))
    try:
        return sorted(found)
    except Exception:  # values of several types
        return found


def members_form(source: object, members: Mapping[str, Any], is_exact: bool) -> Container:
    return Container(source, iter(list(members.values())), len(members), list(members), is_exact)


def fields_form(value: object, names: list[str]) -> Container:
    """Each is read when its turn comes, and may raise."""
    return Container(value, Readings(value, names), len(names), list(names))


class Readings(Iterator[Any]):
    """The attributes of an object, one by one. One that raises does not end it."""

    def __init__(self, source: object, names: list[str]) -> None:
        self._source = source
        self._names = iter(names)

    def __next__(self) -> Any:
        return getattr(self._source, next(self._names))


def foreign_form(value: Any, digests: Digests) -> Form | Container:
    """What types of other libraries say of themselves."""
    if not isinstance(value, type):
        dump = getattr(value, "model_dump", None)
        if callable(dump):
            return model_form(value, dump)
        if type(value).__module__.split(".")[0] in ("numpy", "pandas"):
            return array_form(value, digests)
    if isinstance(value, Iterator):
        return Form("[generator]", False)
    if callable(value):
        return Form("[function]", False)
    kind: Any = type(value)
    plain: Any = object
    has_text = kind.__str__ is not plain.__str__ or kind.__repr__ is not plain.__repr__
    return Form(str(value) if has_text else f"[{kind.__name__}]", False)


def model_form(value: Any, dump: Any) -> Container:
    """A model of pydantic. If it cannot be written as a whole, its fields are, each on its own."""
    try:
        return members_form(value, dump(mode="json"), True)
    except Exception:
        names = [*type(value).model_fields, *(value.model_extra or {})]
        return fields_form(value, names)


def array_form(value: Any, digests: Digests) -> Form | Container:
    """Arrays, tables and scalars of numpy and pandas."""
    if hasattr(value, "columns"):
        names = list(islice(value.columns, MAX_VALUES))
        columns = (value.iloc[:, at] for at in range(len(names)))
        return Container(value, columns, len(value.columns), names)
    if hasattr(value, "__len__") and getattr(value, "shape", None) != ():
        is_flat = getattr(value, "ndim", 1) == 1 and hasattr(value, "tolist")
        return Container(value, iter(value[:MAX_VALUES].tolist() if is_flat else value), len(value))
    found = value.item() if hasattr(value, "item") else value
    is_number = isinstance(found, (bool, int, float, str, bytes)) and "64[" not in str(value.dtype)
    return form_of(found, digests) if is_number else Form(str(value), False)

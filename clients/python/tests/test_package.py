"""What users get, and what the documentation says of it."""

import dataclasses
import importlib.metadata
import inspect
import re
from importlib.resources import files

import decision_ledger
from decision_ledger import Ledger
from decision_ledger.options import Options
from support.service import REPOSITORY

PAGE = (REPOSITORY / "docs/python.md").read_text()


def test_the_package_is_typed_and_needs_nothing() -> None:
    assert files("decision_ledger").joinpath("py.typed").is_file()
    assert importlib.metadata.requires("decision-ledger-client") in (None, [])


def test_the_page_lists_the_options() -> None:
    table = PAGE.split("## Options")[1].split("## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    fields = [field.name for field in dataclasses.fields(Options)]
    assert sorted(listed) == sorted(fields)
    parameters = list(inspect.signature(Ledger.__init__).parameters)[1:]
    assert sorted(parameters) == sorted(fields)


def test_the_defaults_of_the_client_are_those_of_the_options() -> None:
    signature = inspect.signature(Ledger.__init__)
    for field in dataclasses.fields(Options):
        if field.default is not dataclasses.MISSING:
            assert signature.parameters[field.name].default == field.default, field.name


def test_the_page_names_every_error() -> None:
    errors = [name for name in decision_ledger.__all__ if name.endswith("Error")]
    assert errors and all(f"`{name}`" in PAGE for name in errors)


def test_the_code_of_the_page_compiles() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        compile(block, "docs/python.md", "exec")


def test_types_refuse_a_decision_without_confidence() -> None:
    """mypy fails if the line that it is to refuse passes."""
    with Ledger("http://127.0.0.1:9", "lg_test_x", disabled=True) as ledger:
        ledger.record(
            {"agent_id": "a", "action_type": "refund", "inputs": {}, "outputs": {}}  # type: ignore[typeddict-item]
        )

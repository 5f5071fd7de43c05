"""Every section of a contract that binds us has a case; the list of sections is the contracts' own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from shipped_cases import shipped_cases

from conformance.sections import informative, normative, proofs, unknown

CONTRACTS = Path(__file__).resolve().parents[3] / "docs" / "contracts"


@pytest.mark.parametrize("section", sorted(normative()))
def test_section_is_proven(section: str) -> None:
    assert _proofs()[section], f"no case names {section}: {normative()[section]}"


def test_rules_name_sections_that_exist() -> None:
    assert unknown(shipped_cases()) == []


def test_no_section_is_both() -> None:
    assert not normative().keys() & informative().keys()


def test_the_list_is_that_of_the_contracts() -> None:
    readme = (CONTRACTS / "README.md").read_text(encoding="utf-8")
    found = {f"decisions {name}" for name in re.findall(r"^### (.+)$", readme, re.MULTILINE)}
    for path in CONTRACTS.glob("*.md"):
        text = path.read_text(encoding="utf-8").partition("\n# Sibling formats")[0]
        numbers = re.findall(r"^#{2,3} (\d+(?:\.\d+)?)\.? ", text, re.MULTILINE)
        # A section that has numbered parts is proven by them; it is listed if cases name it all the same.
        whole = {number for number in numbers if any(other.startswith(f"{number}.") for other in numbers)}
        listed = normative() | informative()
        found |= {
            f"{path.stem} {number}" for number in numbers if number not in whole or f"{path.stem} {number}" in listed
        }
    assert found == set(normative() | informative())


@cache
def _proofs() -> Mapping[str, object]:
    return proofs(shipped_cases())

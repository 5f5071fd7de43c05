"""The cross-check itself, and that it judges most of our scripts."""

from __future__ import annotations

import pytest
from shipped_cases import shipped_cases

pytest.importorskip("bashlex")

from conformance.bashlex_check import NotComparable, Ours, Tally, Theirs, compare, scripts

pytestmark = pytest.mark.not_on_windows("needs-tools")


@pytest.mark.parametrize(
    "text",
    [
        "a; b && c || d & e",
        "! a | b |& c",
        "if a; then b; elif c; then d; else e; fi > f",
        "for x in 1 2; do a; done; while b; do c; done; until d; do e; done",
        "(a; b) 2>&1; { c; } < d",
        "f() { g; }",
        'x=1 y=$(a | b) cmd "$x" <<EOF\nbody\nEOF\nnext',
    ],
)
def test_both_trees_become_one_form(text: str) -> None:
    assert Ours(text).script() == Theirs(text).script()


def test_a_difference_is_seen() -> None:
    class Broken(Theirs):
        def slice(self, node: object) -> str:
            return super().slice(node).upper()

    assert Broken("echo hi").script() != Ours("echo hi").script()


def test_parts_without_a_place_in_the_form_are_not_judged() -> None:
    with pytest.raises(NotComparable):
        Ours("[[ a ]]").script()
    tally = compare([("x", "case a in a) ;; esac")])
    assert (tally.seen, tally.judged, tally.differ) == (1, 0, {})


@pytest.mark.one_in(3, slow=3)
@pytest.mark.slow
def test_all_cases_agree() -> None:
    tally: Tally = compare(scripts(shipped_cases()))
    assert not tally.differ, "\n".join(tally.differ.values())
    assert tally.judged > 600, tally.summary()

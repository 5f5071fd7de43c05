"""No fact is told by a text: what did not run is said to be a fault where it is told (``Run.notice``)."""

from __future__ import annotations

import ast

from rooms import ROOT, sources, tree


def test_a_notice_with_a_status_is_a_fault() -> None:
    """A status in the words of a notice is for people; under ``strict`` only ``fault=`` denies."""
    untyped = []
    for path in sources():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "notice":
                if "(status" in ast.unparse(node) and not {"fault", "own"} & {one.arg for one in node.keywords}:
                    untyped.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not untyped

"""Files that import one another can only be read together: a circle has at most six of them, and stays in one room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from rooms import PACKAGE, imports, sources

pytestmark = pytest.mark.not_on_windows("same-everywhere")

LARGEST = 6


def _modules() -> dict[str, set[str]]:
    """Return each module of the package with those of it that it imports, for types only or when it must."""
    named = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sources()
    }
    found = {}
    for name, path in named.items():
        expected = {module if module in named else module.rpartition(".")[0] for module, _ in imports(path)}
        found[name] = expected & set(named) - {name}
    return found


def circles(graph: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """Return the sets of nodes that all reach one another (Kosaraju), larger ones than of one."""
    order: list[str] = []
    seen: set[str] = set()
    for start in graph:
        stack = [(start, iter(graph[start]))] if start not in seen else []
        seen.add(start)
        while stack:
            node, following = stack[-1]
            new = next((other for other in following if other not in seen), None)
            if new is None:
                order.append(stack.pop()[0])
            else:
                seen.add(new)
                stack.append((new, iter(graph[new])))
    back: dict[str, set[str]] = {node: set() for node in graph}
    for node, others in graph.items():
        for other in others:
            back[other].add(node)
    left = set(graph)
    for start in reversed(order):
        if start not in left:
            continue
        circle, row = set(), [start]
        left.discard(start)
        while row:
            node = row.pop()
            circle.add(node)
            row += (new := back[node] & left)
            left -= new
        if len(circle) > 1:
            yield circle


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert sorted(map(sorted, circles(graph))) == [["a", "b", "c"], ["d", "e"]]


def test_no_circle_is_large_or_leaves_its_room() -> None:
    found = list(circles(_modules()))
    assert found
    large = [sorted(circle) for circle in found if len(circle) > LARGEST]
    assert not large, large
    wide = [sorted(circle) for circle in found if len({f"{name}.".split(".")[1] for name in circle}) > 1]
    assert not wide, wide

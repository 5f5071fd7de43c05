"""What each builtin of jq can cost: rules over sizes, for ``bounded``."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log2

from .assignments import delete, is_number, path, paths, pick, setpath, tostream, update_values
from .bounded import BYTE, Evaluation, Flow, Scope, Size, Unbounded, scale
from .regexes import bound
from .syntax import Node

Rule = Callable[[Evaluation, Node, Size, bool, Scope], Flow]

_SCALAR = Size(1, 0)

# -- plain functions


def _values(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> tuple[float, float, list[Size]]:
    """Evaluate arguments that are values: how many combinations, steps, sizes."""
    count, steps, sizes = 1.0, 0.0, []
    for argument in node.parts:
        flow = run.flow(argument, given, part, scope)
        steps += scale(count, flow.steps)
        count = scale(count, flow.count)
        sizes.append(flow.each)
    return count, steps, sizes


def _function(size: Callable[..., Size], steps: Callable[..., float]) -> Rule:
    """Make the rule of a function of values: both get the input's size and those of the arguments."""

    def rule(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
        count, spent, sizes = _values(run, node, given, part, scope)
        return Flow(count, size(given, *sizes), spent + scale(count, 4 + steps(given, *sizes)))

    return rule


def _scan(given: Size, *arguments: Size) -> float:
    return given.nodes + given.bytes * BYTE + sum(a.nodes + a.bytes * BYTE for a in arguments)


def _product(given: Size, *arguments: Size) -> float:
    nodes, length = given.nodes, given.bytes
    for argument in arguments:
        nodes *= argument.nodes
        length += argument.bytes * nodes
    return nodes + (length + given.bytes * nodes) * BYTE


def _sorting(given: Size, *_: Size) -> float:
    return scale(8 * log2(given.nodes + 2), given.nodes + given.bytes * BYTE)


def _itself(given: Size, *_: Size) -> Size:
    return given


def _scalar(*_: Size) -> Size:
    return _SCALAR


def _wrapped(given: Size, *_: Size) -> Size:
    return Size(given.nodes * 4 + 4, given.bytes, given.depth + 2, max(given.number, given.nodes))


def _pieces(given: Size, *_: Size) -> Size:
    return Size(given.bytes + 2, given.bytes, 1)


def _json(given: Size) -> Size:
    return Size(1, given.text() * 2)


def _joined(given: Size, separator: Size) -> Size:
    return Size(1, given.text() + scale(given.nodes, separator.text()))


def _filter(_: Evaluation, __: Node, given: Size, part: bool, ___: Scope) -> Flow:
    return Flow(1, given, 6, part=part)


def _number(number: float) -> Rule:
    return _function(lambda *_: Size(1, 0, 0, number), _scan)


def _same_number(given: Size, *others: Size) -> Size:
    return Size(1, 0, 0, max(1.0, given.number, *(other.number for other in others)) + 1)


def _length(given: Size) -> Size:
    return Size(1, 0, 0, max(given.nodes + given.bytes, given.number))


def _fromjson(run: Evaluation, _: Node, given: Size, part: bool, __: Scope) -> Flow:
    depth = min(given.bytes, run.brackets) if part else given.bytes
    return Flow(1, Size(given.bytes + 1, given.bytes, depth, inf), 8 + given.bytes / 8)


def _data(run: Evaluation, node: Node, _: Size, __: bool, ___: Scope) -> Flow:
    count = run.data.nodes if node.value == "inputs" else 1
    return Flow(count, run.data, 4 + 4 * count, run.data, True)


def _nothing(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    _, steps, _ = _values(run, node, given, part, scope)
    return Flow(0, _SCALAR, 4 + steps)


# -- functions of filters


def _items(given: Size, part: bool) -> Flow:
    inner = Size(given.nodes, given.bytes, max(0, given.depth - 1), given.number)
    return Flow(max(0.0, given.nodes - 1), inner, 2 * given.nodes, given, part)


def _map(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    body = run.after(_items(given, part), node.parts[0], scope)
    size = Size(body.total.nodes + 1, body.total.bytes, body.each.depth + 1, body.each.number)
    return Flow(1, size, body.steps + body.count + 4)


def _select(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    test = run.flow(node.parts[0], given, part, scope)
    return Flow(test.count, given, test.steps + 4 * test.count, part=part)


def _by(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    keys = run.after(_items(given, part), node.parts[0], scope)
    size = Size(given.nodes * 2 + 2, given.bytes, given.depth + 1, given.number)
    return Flow(1, size, keys.steps + _sorting(keys.total) + 8 * given.nodes)


def _with_entries(run: Evaluation, node: Node, given: Size, _: bool, scope: Scope) -> Flow:
    found = _map(run, node, _wrapped(given), False, scope)
    found.steps += 32 * given.nodes + _scan(found.each) * 4
    return found


def _first(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    found = run.flow(node.parts[-1], given, part, scope)
    return Flow(min(1.0, found.count), found.each, found.steps + 8, part=found.part)


def _limit(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    most = run.flow(node.parts[0], given, part, scope)
    found = run.flow(node.parts[1], given, part, scope)
    count = scale(most.count, found.count)
    steps = most.steps + scale(most.count, found.steps + 8 * found.count)
    return Flow(count, found.each, steps, found.total.times(most.count), found.part)


def _nth(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    found = _limit(run, node, given, part, scope)
    return Flow(min(found.count, 1.0), found.each, found.steps, part=found.part)


def _quantify(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    source = _items(given, part)
    steps = 8.0
    for position, argument in enumerate(node.parts):
        if position == 0 and len(node.parts) == 2 and node.value != "IN":
            source = run.flow(argument, given, part, scope)
        else:
            flow = run.after(source, argument, scope)
            steps += flow.steps + 8 * flow.count + scale(source.count, given.nodes)
    return Flow(1, _SCALAR, steps + source.steps)


def _among(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    source = run.flow(node.parts[0], given, part, scope) if len(node.parts) == 2 else Flow(1, given, 0, part=part)
    inside = run.flow(node.parts[-1], given, part, scope)
    pairs = scale(source.count, max(1, inside.count))
    steps = source.steps + scale(max(1, source.count), inside.steps)
    return Flow(1, _SCALAR, steps + scale(pairs, 16 + _scan(source.each, inside.each)))


def _add(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    source = run.flow(node.parts[0], given, part, scope) if node.parts else _items(given, part)
    total = source.total
    size = Size(total.nodes, total.bytes, source.each.depth, scale(source.each.number, source.count))
    return Flow(1, size, source.steps + 8 * source.count + _scan(total))


def _index_by(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    source = run.flow(node.parts[0], given, part, scope) if len(node.parts) == 2 else _items(given, part)
    keys = run.after(source, node.parts[-1], scope)
    size = Size(source.total.nodes + 1, source.total.bytes + keys.total.text(), source.each.depth + 1, given.number)
    return Flow(1, size, source.steps + keys.steps + scale(max(1, keys.count), 32) + _scan(size))


def _recurse(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    flow = Flow(given.nodes, given, 4 * given.nodes, given.times(given.depth + 1), part)
    if not node.parts:
        return flow
    step = node.parts[0]
    # Each step must go down: it ends in ``[]``, which null has none of.
    down = False
    for inner in step.walk() if step is not None else ():
        if inner.kind == "each":
            down = True
        elif inner.kind not in ("identity", "index", "literal", "pipe", "try") and not (
            inner.kind == "call" and inner.value in ("select", "type", "not")
        ):
            raise Unbounded
        if inner.kind == "literal" and inner is step:
            raise Unbounded
    if not down:
        raise Unbounded
    _only_down(step)
    for argument in node.parts:
        flow.steps += run.after(Flow(given.nodes, given, 0, flow.total, part), argument, scope).steps
    return flow


def _only_down(node: Node | None) -> None:
    """Refuse a step with anything but navigation on its spine."""
    while node is not None and node.kind != "identity":
        if node.kind == "pipe":
            _only_down(node.parts[1])
        elif node.kind == "call" and node.value == "select":
            return
        elif node.kind not in ("index", "each", "try"):
            raise Unbounded
        node = node.parts[0]


def _walk(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    size = run.grow(given, given.nodes, node.parts[0], scope)
    whole = run.flow(node.parts[0], size, False, scope)
    least = run.flow(node.parts[0], size.nothing(), False, scope)
    if whole.count > 1:
        raise Unbounded
    steps = scale(given.depth + 1, whole.steps) + scale(given.nodes, least.steps + 16)
    return Flow(whole.count, size, steps)


def _range(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    count, steps, sizes = _values(run, node, given, part, scope)
    most = max(size.number for size in sizes[:2])
    turns = sum(size.number for size in sizes[:2]) + 1
    if len(sizes) == 3:
        by = node.parts[2]
        if by is not None and by.kind == "negate":
            by = by.parts[0]
        if not is_number(by) or float(by.value) < 1:  # type: ignore[union-attr, arg-type]
            raise Unbounded
        turns *= 8
    return Flow(scale(count, turns), Size(1, 0, 0, most), steps + scale(count, 2 * turns + 4))


# -- regular expressions


def _expression(run: Evaluation, node: Node, given: Size, flags: int) -> tuple[float, float]:
    """Give steps of a search in the input, and the number of groups; only for a pattern that is written out."""
    pattern = node.parts[0]
    marks = node.parts[flags] if len(node.parts) > flags else None
    if pattern is None or pattern.kind != "literal" or type(pattern.value) is not str:
        raise Unbounded
    if marks is not None and (marks.kind != "literal" or not isinstance(marks.value, str | None)):
        raise Unbounded
    found = bound(pattern.value, str(marks.value or "") if marks is not None else "")
    if found is None:
        raise Unbounded
    factor, degree = found
    return 40 + factor * (given.bytes + 1) ** degree / 1024, pattern.value.count("(")


def _test(run: Evaluation, node: Node, given: Size, _: bool, __: Scope) -> Flow:
    steps, _groups = _expression(run, node, given, 1)
    return Flow(1, _SCALAR, steps)


def _match(run: Evaluation, node: Node, given: Size, _: bool, __: Scope) -> Flow:
    steps, groups = _expression(run, node, given, 1)
    count = given.bytes + 2
    each = Size(8 + 6 * groups, given.bytes * (1 + groups) + 64, 3, given.bytes)
    total = Size(each.nodes * count, (given.bytes + 64) * (1 + groups), 3, given.bytes)
    return Flow(count, each, steps + scale(count, 16 + 8 * groups + given.bytes * BYTE), total)


def _substitute(run: Evaluation, node: Node, given: Size, _: bool, scope: Scope) -> Flow:
    steps, groups = _expression(run, node, given, 2)
    matches = given.bytes + 2
    captures = Size(1 + 2 * groups, given.bytes * groups, 1)
    new = run.flow(node.parts[1], captures, False, scope)
    if new.count > 1:
        raise Unbounded
    size = Size(1, given.bytes + scale(matches, new.each.nothing().text()) + matches * new.each.text())
    return Flow(1, size, steps + scale(matches, new.steps + 40 + given.bytes * BYTE) + size.bytes * BYTE)


def _split(run: Evaluation, node: Node, given: Size, part: bool, scope: Scope) -> Flow:
    steps, _ = _expression(run, node, given, 1)
    count = given.bytes + 2
    steps += scale(count, 40 + given.bytes * BYTE)
    if node.value == "splits":
        return Flow(count, Size(1, given.bytes), steps, Size(count, given.bytes))
    return Flow(1, _pieces(given), steps)


_REGULAR: dict[str, Rule] = {
    "test/1": _test,
    "test/2": _test,
    "match/1": _match,
    "match/2": _match,
    "capture/1": _match,
    "capture/2": _match,
    "scan/1": _match,
    "scan/2": _match,
    "sub/2": _substitute,
    "sub/3": _substitute,
    "gsub/2": _substitute,
    "gsub/3": _substitute,
    "splits/1": _split,
    "splits/2": _split,
    "split/2": _split,
}


def _many(names: str, rule: Rule) -> dict[str, Rule]:
    return dict.fromkeys(names.split(), rule)


RULES: dict[str, Rule] = {
    **_REGULAR,
    **_many("not/0 type/0 isnan/0 isinfinite/0 isnormal/0 isfinite/0 isvalid/1 toboolean/0", _function(_scalar, _scan)),
    **_many("startswith/1 endswith/1 has/1 in/1 bsearch/1", _function(_scalar, _scan)),
    **_many("contains/1 inside/1", _function(_scalar, _product)),
    **_many("length/0 utf8bytelength/0", _function(_length, _scan)),
    **_many("input_line_number/0", _function(lambda _: Size(1, 0, 0, 1e9), _scan)),
    **_many("now/0 mktime/0 fromdate/0 fromdateiso8601/0", _number(1e13)),
    **_many("floor/0 ceil/0 round/0 abs/0 fabs/0 trunc/0 sqrt/0", _function(_same_number, _scan)),
    **_many("tonumber/0 infinite/0 nan/0 pow/2 log/0 log2/0 log10/0 exp/0 exp2/0 exp10/0", _number(inf)),
    **_many("keys/0 keys_unsorted/0", _function(lambda g: Size(g.nodes, g.bytes, 1, g.nodes), _sorting)),
    **_many("tostring/0 tojson/0", _function(_json, lambda g: g.nodes + g.text() * BYTE)),
    **_many("ascii_downcase/0 ascii_upcase/0", _function(_itself, lambda g: 16 * g.bytes)),
    **_many("ltrimstr/1 rtrimstr/1 trimstr/1 trim/0 ltrim/0 rtrim/0 ascii/0", _function(_itself, _scan)),
    **_many("explode/0", _function(lambda g: Size(g.bytes + 1, 0, 1, 1114111), lambda g: g.bytes)),
    **_many("implode/0", _function(lambda g: Size(1, g.nodes * 4), lambda g: g.nodes)),
    **_many("split/1", _function(_pieces, lambda g, s: g.bytes + s.bytes)),
    **_many("join/1", _function(_joined, lambda g, s: 16 * g.nodes + _joined(g, s).bytes * BYTE)),
    **_many("flatten/0 flatten/1", _function(_itself, lambda g, *_: scale(16 * g.nodes, g.depth + 1))),
    **_many("reverse/0 sort/0 unique/0 min/0 max/0", _function(_itself, _sorting)),
    **_many(
        "first/0 last/0 nth/1 toarray/0",
        _function(lambda g, *_: Size(g.nodes + 1, g.bytes, g.depth + 1, g.number), _scan),
    ),
    **_many("to_entries/0", _function(_wrapped, lambda g: 16 * g.nodes)),
    **_many("from_entries/0", _function(_itself, lambda g: 40 * g.nodes + g.text() * BYTE)),
    **_many("indices/1 index/1 rindex/1 _strindices/1", _function(_pieces, _product)),
    **_many("transpose/0", _function(lambda g: g.times(g.nodes), lambda g: 8 * g.nodes * g.nodes)),
    **_many("strftime/1 strflocaltime/1 todate/0 todateiso8601/0 date/0", _function(lambda *_: Size(1, 8192), _scan)),
    **_many("gmtime/0 localtime/0 strptime/1", _function(lambda *_: Size(10, 0, 1, 1e13), _scan)),
    **_many("arrays/0 objects/0 iterables/0 booleans/0 numbers/0 strings/0 nulls/0 values/0 scalars/0", _filter),
    **_many("normals/0 finites/0 debug/0 stderr/0", _filter),
    **_many("empty/0 error/0 error/1 halt/0 halt_error/0 halt_error/1", _nothing),
    **_many("env/0 input/0 inputs/0 input_filename/0", _data),
    **_many("fromjson/0", _fromjson),
    **_many("getpath/1", _function(_itself, _scan)),
    **_many("map/1", _map),
    **_many("map_values/1", update_values),
    **_many("select/1", _select),
    **_many("sort_by/1 group_by/1 unique_by/1 min_by/1 max_by/1", _by),
    **_many("with_entries/1", _with_entries),
    **_many("first/1 last/1 isempty/1", _first),
    **_many("limit/2 skip/2", _limit),
    **_many("nth/2", _nth),
    **_many("any/0 all/0 any/1 all/1 any/2 all/2", _quantify),
    **_many("IN/1 IN/2", _among),
    **_many("INDEX/1 INDEX/2", _index_by),
    **_many("add/0 add/1", _add),
    **_many("recurse/0 recurse/1", _recurse),
    **_many("walk/1", _walk),
    **_many("range/1 range/2 range/3", _range),
    **_many("del/1", delete),
    **_many("delpaths/1", _function(_itself, _product)),
    **_many("setpath/2", setpath),
    **_many("pick/1", pick),
    **_many("path/1", path),
    **_many("paths/0 paths/1 leaf_paths/0", paths),
    **_many("tostream/0", tostream),
}

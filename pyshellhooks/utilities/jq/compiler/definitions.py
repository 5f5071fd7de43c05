"""Builtins that are written in jq's language: those that take filters or give any number of results.

The texts are our own, written from jq 1.8's manual. Only the definitions that a program calls are parsed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .scopes import Definition

# ``_read`` makes the keys from the text before each body, so that only definitions that are called are parsed.
_TEXTS = r"""
def select(f): if f then . else empty end;
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def recurse(f): def down: ., (f | down); down;
def recurse(f; cond): def down: ., (f | select(cond) | down); down;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type == "array" or type == "object");
def scalars: select(type != "array" and type != "object");
def isfinite: type == "number" and (isinfinite | not);
def finites: select(isfinite);
def normals: select(isnormal);
def error(message): message | error;
def add(f): reduce f as $item (null; . + $item);
def range($upto): range(0; $upto);
def range($from; $upto; $by): _range($from; $upto; $by);
def while(cond; update): def turn: if cond then ., (update | turn) else empty end; turn;
def until(cond; update): def turn: if cond then . else update | turn end; turn;
def repeat(f): def turn: f, turn; turn;
def isempty(f): first((f | false), true);
def any: any(.[]; .);
def any(f): any(.[]; f);
def any(source; cond): isempty(source | cond or empty) | not;
def all: all(.[]; .);
def all(f): all(.[]; f);
def all(source; cond): isempty(source | cond and empty);
def limit($count; f):
  if $count > 0 then label $done | foreach f as $item ($count; . - 1; $item, if . <= 0 then break $done else empty end)
  elif $count == 0 then empty
  else error("limit doesn't support negative count") end;
def skip($count; f):
  if $count > 0 then foreach f as $item ($count; . - 1; if . < 0 then $item else empty end)
  elif $count == 0 then f
  else error("skip doesn't support negative count") end;
def nth($position; f):
  if $position < 0 then error("nth doesn't support negative indices") else first(skip($position; f)) end;
def first: .[0];
def last: .[-1];
def nth($position): .[$position];
def del(f): delpaths([path(f)]);
def paths: path(..) | select(length > 0);
def paths(f): path(.. | select(f)) | select(length > 0);
def pick(f): . as $whole | reduce path(f) as $path (null; setpath($path; $whole | getpath($path)));
def with_entries(f): to_entries | map(f) | from_entries;
def walk(f): def visit: if type == "object" then map_values(visit) elif type == "array" then map(visit) else . end | f; visit;
def sort_by(f): _sort_by_impl(map([f]));
def group_by(f): _group_by_impl(map([f]));
def unique_by(f): _unique_by_impl(map([f]));
def min_by(f): _min_by_impl(map([f]));
def max_by(f): _max_by_impl(map([f]));
def combinations:
  if length == 0 then [] else .[0][] as $head | (.[1:] | combinations) as $rest | [$head] + $rest end;
def combinations(count): . as $items | [range(count) | $items] | combinations;
def in(xs): . as $key | xs | has($key);
def inside(xs): . as $part | xs | contains($part);
def debug(messages): (messages | debug | empty), .;
def halt_error: halt_error(5);
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def match(re; flags): _match_impl(re; flags; false)[];
def match($re): _pattern_of($re) as [$pattern, $flags] | match($pattern; $flags);
def capture(re; flags): _captures(re; flags)[];
def capture($re): _pattern_of($re) as [$pattern, $flags] | capture($pattern; $flags);
def scan($re; $flags): _scan($re; $flags)[];
def scan($re): scan($re; null);
def splits($re; $flags): split($re; $flags)[];
def splits($re): splits($re; null);
def sub($re; f): sub($re; f; "");
def gsub($re; f; flags): sub($re; f; flags + "g");
def gsub($re; f): sub($re; f; "g");
def _substitute($re; f; $flags):
  . as $text | _sub($re; $flags) as [$pieces, $rest]
  | reduce $pieces[] as [$before, $named] ([]; [$named | f] as $new | reduce range($new | length) as $n (.; .[$n] += $before + $new[$n]))
  | if length == 0 then $text else .[] + $rest end;
def tostream:
  path(def leaves: (.[]? | leaves), .; leaves) as $path
  | getpath($path)
  | reduce path(.[]?) as $step ([$path, .]; [$path + $step]);
def fromstream(f): {x: null, done: false} as $new
  | foreach f as $event ($new;
      if .done then $new else . end
      | if $event | length == 2
        then .done = ($event[0] | length == 0) | setpath(["x"] + $event[0]; $event[1])
        else .done = ($event[0] | length == 1) end;
      if .done then .x else empty end);
def truncate_stream(f):
  . as $depth | null | f | . as $event | if (.[0] | length) > $depth then setpath([0]; $event[0][$depth:]) else empty end;
def INDEX(source; key): reduce source as $row ({}; .[$row | key | tostring] = $row);
def INDEX(key): INDEX(.[]; key);
def IN(source): any(source == .; .);
def IN(source; values): any(source == values; .);
def JOIN($index; key): [.[] | [., $index[key]]];
def JOIN($index; source; key): source | [., $index[key]];
def JOIN($index; source; key; join): source | [., $index[key]] | join;
def toarray: if type == "array" then . else [.] end;
def _assign(paths; $value): reduce path(paths) as $path (.; setpath($path; $value));
def _modify(paths; update): _modified(paths; update) | . as [$value, $gone] | $value | delpaths($gone);
def _modified(paths; update):
  reduce path(paths) as $path ([., []];
    . as [$value, $gone]
    | [first($value | getpath($path) | update)]
    | if length == 0 then [$value, $gone + [$path]] else .[0] as $new | [($value | setpath($path; $new)), $gone] end);
"""


def _read(texts: str) -> dict[str, str]:
    """Split the text into its definitions, by name and arity; each begins with ``def`` in the first column."""
    result = {}
    for text in texts.split("\ndef ")[1:]:
        head = text.partition(":")[0]
        name, _, parameters = head.partition("(")
        arity = parameters.count(";") + 1 if parameters else 0
        result[f"{name}/{arity}"] = f"def {text}"
    return result


TEXTS = _read(_TEXTS)
# On values these are Python functions; these definitions keep the path, as jq's own do: path(.a | index("x")).
PATH_TEXTS = _read(r"""
def abs: if . < 0 then -. else . end;
def ltrimstr($start): if startswith($start) then .[$start | length :] else . end;
def rtrimstr($end): if endswith($end) then .[: length - ($end | length)] else . end;
def trimstr($both): ltrimstr($both) | rtrimstr($both);
def indices($part): if type == "string" and ($part | type) == "string" then _strindices($part)
  elif type == "array" and ($part | type) != "array" then .[[$part]] else .[$part] end;
def index($part): indices($part) | .[0];
def rindex($part): indices($part) | .[-1:][0];
""")
_cache: dict[str, Definition] = {}


def find(key: str, texts: dict[str, str] = TEXTS) -> Definition | None:
    """Return a definition by name and arity, None if it is not in ``texts``."""
    definition = _cache.get(key)
    if definition is None and key in texts:
        from ..parser.syntax import parse_module
        from .scopes import Definition

        node = parse_module(texts[key], "<builtin>").definitions[0]
        signature: tuple[str, tuple[str, ...]] = node.value  # type: ignore[assignment]
        body = node.parts[0]
        assert body is not None
        definition = _cache[key] = Definition(*signature, body)
    return definition

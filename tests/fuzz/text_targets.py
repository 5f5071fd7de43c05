"""Readers of JSON and YAML: the whole and the pieces agree, JSON is the same to each of them, and mistakes have a place."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator

from pyshellhooks.jsontext import chunked_reader, chunks, compact, recover
from pyshellhooks.jsontext.document import Document, JsonError, decode_file, read
from pyshellhooks.jsontext.yaml_document import read_yaml
from pyshellhooks.text import encode
from tests.property.mutated_scripts import ROOT

from .target import Broken, Target

SIZES = (1, 2, 7, 64)
NONE = object()
TOO_DEEP = object()
DECODERS = ("_decoder", "_spelled", "_careful")


def _odd() -> type:
    sys.path.insert(0, str(ROOT / "tests/unit/jsontext"))  # as pytest has it
    try:
        from odd_json import Odd
    finally:
        sys.path.pop(0)
    return Odd


def odd_texts(count: int) -> Iterator[str]:
    """Yield JSON texts that are odd, and some that are broken."""
    odd = _odd()
    for seed in range(count):
        yield odd(seed).text() if seed % 2 else odd(seed).document()


def _number(text: str) -> float:
    return compact.finite(int(text) if text.lstrip("-").isdigit() and len(text) < 4000 else float(text))


def _outcome(call: Callable[[], object]) -> object:
    try:
        return repr(call())
    except json.JSONDecodeError as error:
        return error.msg, error.pos
    except RecursionError:
        return TOO_DEEP
    except ValueError as error:
        return type(error), str(error)


def check_json(text: str) -> None:
    """Read a text as a whole and in pieces with every decoder that payloads and answers are read with."""
    for name in DECODERS:
        decoder = getattr(compact, name)
        whole = _outcome(lambda decoder=decoder: decoder.decode(text))
        looked = "None" if isinstance(whole, str) else whole
        for size in SIZES:
            in_pieces = _outcome(
                lambda decoder=decoder, size=size: chunked_reader.read_all(decoder.scan_once, text, size)
            )
            if TOO_DEEP in (whole, in_pieces):
                continue  # how deep is too deep goes by the stack that is left
            if in_pieces != whole:
                raise Broken(f"{name} reads it otherwise in pieces", (size, whole, in_pieces))
            seen = _outcome(
                lambda decoder=decoder, size=size: chunked_reader.look_at_all(decoder.scan_once, text, size)
            )
            if seen not in (looked, TOO_DEEP):
                raise Broken(f"{name} looks at it otherwise in pieces", (size, looked, seen))
    for size in SIZES:
        for change in (compact.replace_lone_surrogates, compact.html_safe, compact.well_formed):
            way = chunks.escapes_changed if change is compact.replace_lone_surrogates else chunks.changed
            if way(text, change, size) != change(text):
                raise Broken(f"{change.__name__} differs in pieces", size)
    _wire(text)


def _wire(text: str) -> None:
    """Hold what the functions say of each other that payloads and answers go through."""
    value: object = NONE
    try:
        value = compact.loads(text)
    except compact.WireError:
        pass
    try:
        compact.validate(text)
        valid = True
    except compact.WireError:
        valid = False
    if value is not NONE and not valid:
        raise Broken("what loads takes is not valid", value)
    if valid and compact.compact(compact.compact(text)) != compact.compact(text):
        raise Broken("compact changes what is compact")
    if value is not NONE and compact.loads(compact.dumps(value)) != value:
        raise Broken("what is written is read otherwise", value)
    if isinstance(value, dict):
        fields = compact.fields_of(text)
        if list(fields) != list(value) or compact.loads(compact.document(fields)) != value:
            raise Broken("the fields of an object are others", (value, fields))
    try:
        found = list(recover.objects(text))
    except recover.TooNoisy:
        return
    if isinstance(value, dict) and found != [value]:
        raise Broken("an object is not found in itself", found)


def check_config_text(kind: str, text: str) -> None:
    """Read a configuration as JSON with comments and as YAML; what is JSON is the same to both and to Python."""
    data = encode(text)
    decoded, diagnostic = decode_file(data, "file")
    if diagnostic is not None:
        if diagnostic.line < 1 or diagnostic.column < 1:
            raise Broken("bytes that are no text, without a place", diagnostic)
        return
    try:
        plain = json.loads(decoded, parse_int=_number, parse_float=_number)
    except (ValueError, RecursionError):
        plain = NONE
    for reader in (read, read_yaml):
        try:
            document = reader(decoded, "file")
        except JsonError as error:
            line, column = Document(decoded, "file").place(error.offset)
            if not error.message or line < 1 or column < 1 or not 0 <= error.offset <= len(decoded):
                raise Broken("a mistake without a place", (reader.__name__, error.offset, error.message)) from None
            continue
        value = document.root.plain()
        _places(document.root, len(decoded))
        if reader is read and plain is not NONE and repr(value) != repr(plain):
            raise Broken("JSON is read otherwise than by Python", (value, plain))


def _places(root: object, size: int) -> None:
    """Hold that each node lies in the text."""
    todo = [root]
    while todo:
        node = todo.pop()
        if not 0 <= node.offset <= size:  # type: ignore[attr-defined]
            raise Broken("a node lies outside of the text", (node.offset, size))  # type: ignore[attr-defined]
        value = node.value  # type: ignore[attr-defined]
        if isinstance(value, list):
            todo += [getattr(part, "node", part) for part in value]


def config_texts() -> Iterator[tuple[str, ...]]:
    """Yield the configurations of all systems' cases, and odd JSON."""
    from .system_seeds import configs, names

    for name in names():
        yield from (("", text) for text in configs(name))
    yield from (("", text) for text in odd_texts(100))


YAML = (
    *"- : ? | > |- >+ |2 & * ! !!str !!int !!binary # % @ ` ~ --- ... << &a *a {} [] , ' \" null yes 0x1 .inf".split(),
    "\n  ",
    "\n- ",
    ": ",
    "\t",
    "\r",
)
TARGETS = (
    Target("json", ("text",), check_json, lambda: ((text,) for text in odd_texts(400)), tuple('{ } [ ] , : " \\ \\u0000 \\ud800 NaN -Infinity 1e400 -0 1E+2 é \x01'.split(" "))),
    Target("config-text", ("kind", "text"), check_config_text, config_texts, (*YAML, "//", "/*", "*/", ",}")),
)  # fmt: skip

"""yq and rg: what is read is PyYAML's value, what is written is read again, and lines are found as grep and ``re`` find them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator

import yaml

from pyshellhooks.text import encode

from .shell_targets import run, usable
from .target import Broken, Target
from .text_targets import YAML, config_texts

# Plain for both: what YAML 1.1 and jq take for the same value.
_ODD = re.compile(
    r"[!&*<\0]|[0-9][:_]|[-+.0-9][0-9]{15}|\.(?:inf|nan)|=|0[0-9a-zA-Z]|[0-9][eE]|\b(?:y|n|yes|no|on|off)\b",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"[A-Za-z0-9 _,:;/@#%=<>!~-]{1,60}")


def _json(data: bytes) -> list[object]:
    """Read the lines of ``-c``."""
    return [json.loads(line) for line in data.splitlines()]


def check_yq(program: str, text: str) -> None:
    """Read a document with all three programs; hold that YAML comes back from YAML, and agrees with PyYAML where it is plain."""
    if not usable(program):
        return
    for name in ("yq", "xq", "tomlq"):
        run(f'{name} -c "$1"', program, stdin=encode(text))
    read = run("yq -c .", stdin=encode(text))
    if read.status or read.ended.kind != "exited":
        _must_be_wrong(text, read.ended.kind == "exited")
        return
    values = _json(read.stdout)
    _agrees(text, values)
    for option in ("-y", "-Y"):
        written = run(f"yq {option} .", stdin=encode(text))
        if written.status or written.ended.kind != "exited":
            continue
        again = run("yq -c .", stdin=written.stdout)
        if again.ended.kind == "exited" and (again.status or _json(again.stdout) != values):
            raise Broken(
                f"what yq {option} writes is read otherwise", (values, written.stdout, again.stdout, again.stderr)
            )
    _as_toml(values)


def _must_be_wrong(text: str, told: bool) -> None:
    """Hold that what is JSON and small is read."""
    try:
        json.loads(text, parse_constant=_none)
    except (ValueError, RecursionError):
        return
    if told and not _ODD.search(text) and text.isprintable() and "\\u" not in text and len(text) < 1000:
        try:
            list(yaml.safe_load_all(text))
        except (yaml.YAMLError, ValueError, RecursionError):
            return
        raise Broken("a document that is JSON and YAML is refused", text)


def _none(word: str) -> object:
    raise ValueError(word)


def _agrees(text: str, values: list[object]) -> None:
    if _ODD.search(text):
        return
    try:
        wanted = list(yaml.safe_load_all(text))
        plain = json.loads(json.dumps(wanted))
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return
    if plain == wanted and plain != values:
        raise Broken("yq reads another value than PyYAML", (text, wanted, values))


def _as_toml(values: list[object]) -> None:
    for value in values:
        if not isinstance(value, dict):
            continue
        given = encode(json.dumps(value))
        written = run("yq -t .", stdin=given)
        if written.status or written.ended.kind != "exited":
            continue
        try:
            tomllib.loads(written.stdout.decode())
        except (ValueError, RecursionError) as error:
            raise Broken("what yq -t writes is no TOML", (value, written.stdout, error)) from None


def yq_seeds() -> Iterator[tuple[str, ...]]:
    """Yield configurations, and what the three languages have of their own."""
    programs = (".", ".a", ".[]?", "keys?", "tojson", "..")
    for number, (_, text) in enumerate(config_texts()):
        yield programs[number % len(programs)], text
    own = (
        "a: &x [1, b]\nc: *x\n", "a: {<<: {b: 1}, c: 2}\n", "--- 1\n--- x\n...\n", "a: |\n  x\n  y\nb: >-\n  c\n  d\n", "- !!str 1\n- !!binary YQ==\n- !x y\n", "? [a]\n: 1\n", "a: 2001-01-01\n",
        "[a]\nb = 1\n[[c]]\nd = 1979-05-27T07:32:00Z\n", 'a = """x\ny"""\nb.c = {d = [1, 2]}\n', "<a b='1'>x<c/><c>y</c></a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a>\u00e9<![CDATA[<]]></a>",
    )  # fmt: skip
    yield from ((".", text) for text in own)


def check_rg(options: str, pattern: str, text: str) -> None:
    """Search a text in every way; plain patterns are found as grep -F and ``re`` find them, and the ways to tell agree."""
    if not usable(options, pattern):
        return
    given = [f"-{letter}" for letter in dict.fromkeys(options) if letter in "ivwxFoSUncl"]
    run('rg "$@" - < f', *given, "-e", pattern, stdin=b"")
    run('cat > f; rg "$@"', *given, "-e", pattern, "f", stdin=encode(text))
    if "\0" in text or not _LITERAL.fullmatch(pattern):
        return
    data = encode(text)
    for option in ("", "-v", "-i", "-x", "-w"):
        words = [option] if option else []
        ours = run('rg -a --no-config -N -F "$@" -', *words, "-e", pattern, stdin=data)
        theirs = run('grep -a -F "$@"', *words, "-e", pattern, stdin=data)
        if (
            ours.ended.kind != "exited"
            or theirs.ended.kind != "exited"
            or (option in ("-i", "-w") and not text.isascii())
        ):
            continue
        if (ours.status, ours.stdout) != (theirs.status, theirs.stdout):
            raise Broken(f"rg -F {option} and grep -F differ", (pattern, text, ours.stdout, theirs.stdout))
        count = run('rg -a -c -F "$@" -', *words, "-e", pattern, stdin=data)
        if count.ended.kind == "exited" and int(count.stdout or 0) != ours.stdout.count(b"\n"):
            raise Broken("rg -c counts other lines", (pattern, text, option, count.stdout, ours.stdout))
    found = re.findall(re.escape(encode(pattern)), data)
    each = run('rg -a -o -F --no-filename -N -e "$1" -', pattern, stdin=data)
    if each.ended.kind == "exited" and "\r" not in text and each.stdout.count(b"\n") != len(found):
        raise Broken("rg -o finds other matches than re", (pattern, text, each.stdout, len(found)))


def rg_seeds() -> Iterator[tuple[str, ...]]:
    """Yield plain and other patterns over a few lines."""
    texts = ("foo bar\nBaz_1 x\n\nfoo", "a\r\nfoo\r\n", "\u00e9 foo\n", "", "\n", "x\0foo\n")
    patterns = (
        "foo",
        "o",
        "a b",
        "^f",
        "(a|b)+",
        "[a-z]",
        "\\bfoo\\b",
        "(?i)FOO",
        "x{2,3}",
        "\\p{L}",
        "(?P<n>a)",
        "[",
        "-e",
        "=",
    )
    for number, pattern in enumerate(patterns):
        for place, text in enumerate(texts):
            yield ("", "i", "v", "w", "x", "o", "U", "Fi")[(number + place) % 8], pattern, text


def check_rules(rules: str, path: str) -> None:
    """Hold what gitignore(5) says: the last rule decides, ``!`` takes back, ``#`` and blank lines say nothing, ``/`` anchors."""
    if not usable(rules, path):
        return
    run('mkdir d; cat > d/.ignore; : > d/a; rg --files d; rg --files -g "$1"', path, stdin=encode(rules))
    name = re.sub(r"[^A-Za-z0-9_]", "", path)[:20]
    if not name or any(character in rules for character in "\0\r"):
        return
    for tail, shown in (
        (f"\n{name}\n", False), (f"\n/{name}\n", False), (f"\n**/{name}\n", False), (f"\n{name}\n!{name}\n", True), (f"\n!{name}\n\n#{name}\n", True), (f"\n!{name}\n{name}/\n", True), (f"\n!{name}\nx/{name}\n", True),
    ):  # fmt: skip
        told = run('mkdir d; cat > d/.ignore; : > "d/$1"; rg --files d', name, stdin=encode(rules + tail))
        if told.ended.kind == "exited" and (encode(f"d/{name}\n") in told.stdout) is not shown:
            raise Broken("a last rule does not decide", (rules, tail, told.stdout, told.stderr))


def rules_seeds() -> Iterator[tuple[str, ...]]:
    """Yield files of rules."""
    for rules in (
        "*.log\n!keep.log\n/build/\n",
        "a/**/b\n**/x\n",
        "[a-c]?\n\\#x\n\\!y\n",
        "{a,b}\n",
        "*\n!*/\n",
        "[\n",
        "a \\ \n",
    ):
        yield from ((rules, path) for path in ("a", "keep", "x1", "*.{a,b}", "!a"))


TARGETS = (
    Target("yq", ("program", "text"), check_yq, yq_seeds, (*YAML, "<a>", "</a>", "&lt;", "[[", "]]", '"""', "1979-05-27")),
    Target("rg", ("options", "pattern", "text"), check_rg, rg_seeds, ("\\b", "\\w", "(?i)", "(?s)", "\\p{Lu}", "[[:alpha:]]", "(?:", "\r\n")),
    Target("rules", ("rules", "path"), check_rules, rules_seeds, ("**/", "/**", "!", "#", "\\", "[!a]", "{a,b}", "*/", "?")),
)  # fmt: skip

"""The parser, expansion, arithmetic, and the programs of sed, awk and jq."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from random import Random

from conformance.case import ShellCase, load
from pyshellhooks import MemoryFS, Shell
from pyshellhooks.builtins._index import INDEX as BUILTINS
from pyshellhooks.shell import Result
from pyshellhooks.syntax.parser import Modes
from pyshellhooks.text import encode
from pyshellhooks.utilities._index import INDEX as UTILITIES
from tests.differential import record_jq_mistakes
from tests.property import parser_runs
from tests.property.generated_commands import Generator
from tests.property.generated_words import Words
from tests.property.mutated_scripts import INSERTED, ROOT, case_scripts
from tests.property.values_in_contexts import HEAD, VALUES, contexts

from .target import LIMITS, SECONDS, Broken, Target, no_traceback

FILES = {"/tmp/a": "a b\nc\n", "/tmp/b.json": '{"a":[1,{"b":null}]}\n', "/tmp/empty": ""}
ENV = {"PATH": "/bin", "HOME": "/tmp", "TZ": "UTC"}


def run(script: str, *args: str, stdin: bytes = b"", env: dict[str, str] | None = None) -> Result:
    """Run a script where it can do no harm; hold what every run promises."""
    shell = Shell(fs=MemoryFS(FILES), spawn=False, limits=LIMITS, env={**ENV, **(env or {})}, cwd="/tmp")
    result = shell.run(script, *args, stdin=stdin, timeout=SECONDS, grace=0.2)
    if result.ended.kind == "stopped" and result.ended.reason == "crashed":
        raise Broken(
            re.sub(r"(\w+): .*( at \S+?):\d+$", r"crashed: \1\2", result.ended.detail, flags=re.DOTALL),
            result.ended.detail,
        )
    if result.ended.kind == "abandoned":
        raise Broken("abandoned", result.ended)
    no_traceback(result.stderr, script, *args, repr(stdin))
    return result


def usable(*texts: str) -> bool:
    """Say whether texts can be arguments and variables."""
    return not any("\0" in text for text in texts)


# -- the parser --------------------------------------------------------------------------------------------------------


def check_parser(text: str) -> None:
    """Hold what ``tests/property/parser_runs.py`` holds, with the extended globs and without."""
    for modes in (Modes(extglob=True), Modes()):
        try:
            parser_runs.check(text, modes)
        except parser_runs.Broken as broken:
            if "characters" not in str(broken):  # that one goes by the clock; ``observe`` counts CPU seconds
                raise Broken(re.split(r"[(:]", str(broken))[0], broken) from None


def scripts() -> Iterator[tuple[str, ...]]:
    """Yield the scripts of the cases, and some that are made."""
    yield from ((text,) for text in case_scripts())
    random = Random("seeds")
    yield from ((Generator(random, bash=number % 5 > 0).script(),) for number in range(200))


# -- expansion and arithmetic ------------------------------------------------------------------------------------------


def check_expansion(line: str, value: str) -> None:
    """Run a line that uses ``$v``, whose value is hostile."""
    if usable(line, value):
        run(f'v=$1 line=$2\n{HEAD}eval "$line"', value, line)


def lines() -> Iterator[tuple[str, ...]]:
    """Yield the contexts of ``tests/property``, each with a value, and words that are made."""
    random = Random("seeds")
    for number, line in enumerate(contexts()):
        yield line, VALUES[number % len(VALUES)]
    for text in case_scripts():
        for word in re.findall(r'\$\{[^{}"\n]+\}', text):
            yield f'echo "{word}" {word}', random.choice(VALUES)
    for _ in range(200):
        yield f"printf '<%s>' {Words(random).word()}", random.choice(VALUES)


def check_arithmetic(expression: str, value: str) -> None:
    """Evaluate an expression as text and as the value of a variable: the same number, in 64 bits."""
    if not usable(expression, value):
        return
    result = run(
        'a=(10 -3 x); one=1; v=$1 e=$2; (echo "$((e))"); (echo "$(($e))"); let "$2"; ((v)); : "${v:e:2}"',
        value,
        expression,
    )
    for word in result.stdout.split():
        if not -(2**63) <= int(word) < 2**63:
            raise Broken("a number of more than 64 bits", word)


def expressions() -> Iterator[tuple[str, ...]]:
    """Yield what stands in ``$(( ))`` in the cases, with values for its variable."""
    random = Random("seeds")
    for text in case_scripts():
        for expression in re.findall(r"\(\(((?:[^()\n]|\([^()\n]*\))+)\)\)", text):
            yield expression, random.choice(VALUES)
    words = Words(random)
    for name in ("arithmetic", "expression"):
        make: Callable[[], str] | None = getattr(words, name, None)
        if make is not None:
            yield from ((make(), random.choice(VALUES)) for _ in range(100))


# -- programs ----------------------------------------------------------------------------------------------------------


def programs(name: str) -> Iterator[str]:
    """Yield what is quoted behind the name of a utility in the cases."""
    texts = [*case_scripts()]
    if name == "awk":
        texts += (ROOT / "tests/differential/awk_scripts.txt").read_text(encoding="utf-8").split("\n--\n")
    for text in texts:
        yield from re.findall(rf"\b{name}(?: -[a-zA-Z-]+(?:[ =][\w:,/]+)?)* '([^']+)'", text)


def check_sed(flags: str, program: str, text: str) -> None:
    """Run a program of sed over a text."""
    if usable(flags, program):
        given = [f"-{flag}" for flag in flags if flag in "nEsz"]
        run('sed "$@"', *given, "-e", program, stdin=encode(text))


def sed_seeds() -> Iterator[tuple[str, ...]]:
    for number, program in enumerate(programs("sed")):
        yield ("", "n", "E", "nE", "z", "s")[number % 6], program, "one two\nthree 3\n\nfour: aXb\nlast"


def check_awk(program: str, text: str) -> None:
    """Run a program of awk over a text."""
    if usable(program):
        run('awk "$1" v=1 -', program, stdin=encode(text))


def awk_seeds() -> Iterator[tuple[str, ...]]:
    for program in programs("awk"):
        yield program, "a b c\n1 2.5 -3\n\nx:y,z 0x1f\nlast"


def check_jq(program: str, text: str) -> None:
    """Run a program of jq over values; what it prints is JSON, which prints again as it is."""
    if not usable(program):
        return
    result = run('jq -c -- "$1"', program, stdin=encode(text))
    if result.status == 0 and result.stdout:
        _prints_again(result.stdout, program)


def _prints_again(printed: bytes, program: str = "") -> None:
    once = run("jq -c .", stdin=printed)  # it spells numbers as jq spells those that it has not computed
    again = run("jq -c .", stdin=once.stdout)
    if once.ended.kind == again.ended.kind == "exited" and (
        again.status or again.stdout != once.stdout or len(again.stdout) != len(printed)
    ):
        raise Broken(
            "what jq prints is not what it reads", (program, printed[-300:], again.stdout[-300:], again.stderr)
        )


def jq_seeds() -> Iterator[tuple[str, ...]]:
    values = '{"a":[1,2.50,{"b":"c"}],"tool_input":{"command":"rm -rf /"},"n":null,"t":true} [3,1,2] "x\\u0000y" 1e500'
    for program in (
        *programs("jq"),
        *filter(None, record_jq_mistakes.RIGHT.splitlines()),
        *record_jq_mistakes.WRITTEN.splitlines(),
    ):
        yield program, values
    for case in load(sorted((ROOT / "conformance/cases/utilities").glob("jq_*.toml"))):
        if isinstance(case, ShellCase) and case.virtual:  # a single call of jq
            yield " ".join(arg for arg in shlex.split(case.script)[1:] if arg[:1] != "-"), case.stdin


def check_jq_values(flags: str, text: str) -> None:
    """Read values with jq's own reader; print them, read them again."""
    given = (
        [f"-{flag}" for flag in dict.fromkeys(flags) if flag in "sSRr"]
        + ["--stream"] * ("t" in flags)
        + ["--seq"] * ("q" in flags)
    )
    result = run('jq -c "$@" .', *given, stdin=encode(text))
    if result.status == 0 and not {"r", "q"} & set(flags):
        _prints_again(result.stdout)


def value_seeds() -> Iterator[tuple[str, ...]]:
    from .text_targets import odd_texts

    for number, text in enumerate(odd_texts(400)):
        yield ("", "s", "S", "R", "t", "q", "st")[number % 7], text


_GRAMMAR = tuple(word for word in INSERTED if len(word) < 12)
TARGETS = (
    Target("parser", ("script",), check_parser, scripts, (*_GRAMMAR, *BUILTINS)),
    Target("expansion", ("line", "value"), check_expansion, lines, (*_GRAMMAR, *VALUES, *BUILTINS, *UTILITIES)),
    Target("arithmetic", ("expression", "value"), check_arithmetic, expressions, (*VALUES, "a[", "one", "v", "e", "**", "?", ":", ",", "++", "<<=")),
    Target("sed", ("flags", "program", "text"), check_sed, sed_seeds, tuple("abcdDegGhHiIlnNpPqQrRstTvwWxyzM0&;{}!,+~$\\")),
    Target("awk", ("program", "text"), check_awk, awk_seeds),
    Target("jq", ("program", "values"), check_jq, jq_seeds, tuple(record_jq_mistakes.WORDS)),
    Target("jq-values", ("flags", "text"), check_jq_values, value_seeds),
)  # fmt: skip

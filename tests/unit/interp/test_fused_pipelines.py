"""Fused text pipelines (interp/compile/fused.py): what is fused, what is not, and that nobody can tell."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from conformance.case import CASES, ShellCase, load_file
from pyshellhooks import Limits, MemoryFS, Shell
from pyshellhooks.command import Call, Direct, DirectContext, utility
from pyshellhooks.errors import Stop
from pyshellhooks.interp.compile.fused import Fused
from pyshellhooks.state.context import ExecutionContext
from tests.property.fused_pipelines import COUNTED

PAYLOAD = b'{"tool_input":{"command":"rm -rf /"}}\n'
HEAD = 'x="a rm -rf b"; j=\'{"a":"rm","n":null}\'; p=rm; set -- one; '
FUSED = (
    "v=$(cat)",
    "v=$(echo $x)",
    'v=$(printf %s "$x" 2>/dev/null)',
    'v=$(echo "$j" | jq -r ".a // empty")',
    'v=$(jq -er .n <<<"$j")',
    'v=$(printf "%s" "$j" | jq -r .a | grep -q rm)',
    'echo "$x" | grep -qE "rm +-(rf|fr)"',
    'echo "$x" | grep -q "$p" 2>&1',
    'echo "${1:-d} ${y-$x}" | cat - >/dev/null 2>&1',
    '! echo "$x" | fgrep -qi RM',
    'grep -qw rm <<<"$x"',
    "echo \"$x\" | egrep -q 'a|b' && :",
    'set -o pipefail; echo "$x" | cat | grep -q a',
    'set -eu; f() { local x=b; echo "$x" | grep -q b; }; f',
)
FILTERS = (
    "v=$(echo a | tr a b)",
    'v=$(printf "%s" "$j" | jq -r .a | sed s/r/R/ | head -c 1)',
    "echo \"$x\" | grep -o 'r[m]' | awk '{print $1}' | cut -c2 >/dev/null",
    'v=$(sort <<<"$x" | uniq | wc -l)',
    'v=$(sed -n "s/.*$p/&/p")',
    "v=$(wc -c)",
)
NOT_FUSED = (
    "set -x; v=$(cat)",
    "trap : DEBUG; v=$(cat)",
    "trap : EXIT; v=$(cat)",
    "trap '' INT; v=$(cat)",
    "cat() { :; }; v=$(cat)",
    "enable -n echo; v=$(echo a | cat)",
    "shopt -s lastpipe; echo a | cat",
    "export POSIXLY_CORRECT=1; echo a | cat",
    "declare -i x=1; v=$(echo $x)",
    "a=(1 2); v=$(echo $a)",
    "v=$(echo $LINENO)",
    "v=$(echo $u)",
    "v=$(echo ${u:=1})",
    "v=$(echo $?)",
    "v=$(echo $2)",
    "v=$(echo {1..3})",
    "v=$(echo $((1)) )",
    "v=$(echo a | cat /dev/stdin)",
    "v=$(echo a |& cat)",
    "v=$(echo a | cat; :)",
    "v=$(echo a | cat <<<b)",
    "v=$(echo a >&2)",
    "v=$(echo a | grep a nosuch)",
    "v=$(echo a | head -n 1 nosuch)",
    "v=$(head -n 1)",
    "v=$(echo a | sed w/dev/stderr)",
    "v=$(echo a | awk '{system(\"echo s\")}')",
    "v=$(echo a | tr a)",
    "v=$(echo a | sed 's/a/touch made/e')",
    "v=$(echo a | awk 'BEGIN{while(i<200000)print i++}' | wc -c)",
    "v=$(echo [1] | jq -c .)",
    "v=$(printf '%d' z)",
    "v=$(printf -v w a)",
    "exec </dev/null; v=$(cat)",
    "v=$(y=1 cat)",
    "export JQ_COLORS=1; v=$(echo '{}' | jq .)",
)  # fmt: skip


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Gather what fusing saves: subshells, and calls of utilities."""
    made: list[str] = []
    subshell, call = ExecutionContext.subshell, Call.__init__

    def counted_subshell(ctx: ExecutionContext, *, waits: bool = False) -> ExecutionContext:
        made.append("subshell")
        return subshell(ctx, waits=waits)

    def counted_call(self: Call, argv: Sequence[str], **given: Any) -> None:
        made.append(argv[0])
        call(self, argv, **given)

    monkeypatch.setattr(ExecutionContext, "subshell", counted_subshell)
    monkeypatch.setattr(Call, "__init__", counted_call)
    yield made


@pytest.mark.parametrize("script", FUSED)
def test_a_fused_pipeline_makes_neither_subshell_nor_call(script: str, made: list[str]) -> None:
    shell = Shell()
    shell.run(HEAD + script, stdin=PAYLOAD)  # jq compiles a program the first time
    made.clear()
    result = shell.run(HEAD + script, stdin=PAYLOAD)
    assert not made and result.ended.kind == "exited"
    counted = Shell(limits=COUNTED).run(HEAD + script, stdin=PAYLOAD)
    assert made
    assert (result.status, result.stdout, result.stderr) == (counted.status, counted.stdout, counted.stderr)


@pytest.mark.parametrize("script", FILTERS)
def test_filters_make_no_subshell(script: str, made: list[str]) -> None:
    script = f'{HEAD}{script}; echo "$? $v"'
    result = Shell().run(script, stdin=PAYLOAD)
    assert "subshell" not in made
    counted = Shell(limits=COUNTED).run(script, stdin=PAYLOAD)
    assert "subshell" in made
    assert (result.status, result.stdout, result.stderr) == (counted.status, counted.stdout, counted.stderr)


@pytest.mark.parametrize("script", NOT_FUSED)
def test_unusual_pipelines_take_the_general_path(script: str, made: list[str], tmp_path: Path) -> None:
    script = f'{HEAD}{script}; echo "$? ${{PIPESTATUS[*]}} ${{#v}}"'
    result = Shell(spawn=False, cwd=str(tmp_path)).run(script, stdin=PAYLOAD * 2)
    assert "subshell" in made
    counted = Shell(spawn=False, cwd=str(tmp_path), limits=COUNTED).run(script, stdin=PAYLOAD * 2)
    assert (result.status, result.stdout, result.stderr) == (counted.status, counted.stdout, counted.stderr)


# -- the conformance cases of fused shapes, where a script cannot ask for it

PLACES: dict[str, Callable[[str], Shell]] = {
    "counted": lambda home: Shell(cwd=home, env=environment(home), limits=COUNTED),
    "no processes": lambda home: Shell(cwd=home, env=environment(home), spawn=False),
    "in memory": lambda home: Shell(fs=MemoryFS(), env=environment("/")),
    "a host's own cat": lambda home: Shell(cwd=home, env=environment(home), utilities=[own_cat]),
}
CASES_OF_SHAPES = [case for case in load_file(CASES / "shell" / "fused.toml") if isinstance(case, ShellCase)]


def environment(home: str) -> dict[str, str]:
    return {"HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC0"}


@utility("cat", summary="", flags=None)
def own_cat(call: Call) -> int:
    """Copy, as the host would have it."""
    for name in call.args or ["-"]:
        stream = call.open_input(name)
        while data := stream.read():
            call.stdout.write(data)
        stream.release()
    return 0


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_the_cases_have_the_same_answer_in_every_place(place: str, tmp_path: Path) -> None:
    for case in CASES_OF_SHAPES:
        result = PLACES[place](tmp_path.as_posix()).run(case.script, stdin=case.stdin.encode())
        assert (case.id, result.stdout.decode(), result.status) == (case.id, case.stdout, case.status or 0)


# -- what is host's, and what ends a run


def test_a_hosts_utility_wins(made: list[str]) -> None:
    @utility("grep", summary="", flags=None)
    def grep(call: Call) -> int:
        call.out.write(b"the host's\n")
        return 7

    result = Shell(utilities=[grep]).run("v=$(echo a | grep -q a); echo $? $v")
    assert result.stdout == b"7 the host's\n"
    assert b"0" in Shell().run("v=$(echo a | grep -q a); echo $? $v").stdout  # another registry, the same compiled text


def test_a_preferred_program_wins() -> None:
    shell = Shell(fs=MemoryFS(), env={"PATH": "/bin"}, prefer_host=["cat"])
    result = shell.run("mkdir /bin; printf 'echo mine' >/bin/cat; chmod +x /bin/cat; v=$(echo a | cat); echo $v")
    assert result.stdout == b"mine\n"


@pytest.mark.parametrize(
    ("script", "limits"),
    [
        ("v=$(cat)", Limits(substitution=10)),
        ("v=$(echo a | cat | cat)", Limits(stages=2)),
        ("v=$(printf %s aaaaaaaaaaaa | cat)", Limits(string=10)),
        ('v=$(printf %s \'{"a":"aaaaaaaaaaaaaaa"}\' | jq .a)', Limits(string=10)),
        ("echo aaaaaaaaaaaa | cat", Limits(output=10)),
        ("f() { v=$(echo a | cat); f; }; f", Limits(call_depth=30)),
        ("for i in 1 2 3 4; do v=$(cat); done", Limits(commands=5)),
    ],
)
def test_limits_hold(script: str, limits: Limits) -> None:
    result = Shell(limits=limits).run(f"{{ {script}; }} || echo no; echo no", stdin=PAYLOAD)
    assert result.ended.kind == "stopped" and b"no\n" not in result.stdout
    counted = Shell(limits=limits.replace(commands=limits.commands or 10**9))
    assert repr(result.ended) == repr(counted.run(f"{{ {script}; }} || echo no; echo no", stdin=PAYLOAD).ended)


def answering(direct: Direct) -> Shell:
    """Make a shell with a utility ``act`` that has a direct way, and another answer the long way."""

    def prepare(words: Sequence[str]) -> Direct:
        return direct

    @utility("act", summary="", flags=None, direct=prepare)
    def act(call: Call) -> int:
        call.stdout.write(b"long:" + call.stdin.read())
        return 3

    return Shell(utilities=[act])


ACT = "v=$(echo a | act); echo $? $v"


def test_a_utility_takes_part_by_an_argument() -> None:
    assert answering(lambda data, around: (4, b"short:" + data)).run(ACT).stdout == b"4 short:a\n"
    assert answering(lambda data, around: None).run(ACT).stdout == b"3 long:a\n"
    assert Shell(utilities=[], limits=COUNTED).run(ACT).status == 0  # and no name stays behind


@pytest.mark.parametrize("error", [Stop("limit", "mine", "string"), RecursionError(), MemoryError(), OSError(5, "x")])
def test_whatever_is_raised_the_long_way_answers(error: BaseException) -> None:
    def fails(data: bytes, around: DirectContext) -> tuple[int, bytes]:
        raise error

    assert answering(fails).run(ACT).stdout == b"3 long:a\n"


def test_a_rejected_fused_run_has_consumed_nothing() -> None:
    shell = answering(lambda data, around: None)
    assert shell.run("v=$(cat | act); echo $v", stdin=b"all of it").stdout == b"long:all of it\n"


def test_a_deadline_ends_it() -> None:
    def waits(data: bytes, around: DirectContext) -> tuple[int, bytes]:
        while True:
            around.scope.check()
            time.sleep(0.001)

    result = answering(waits).run(f"{ACT}; echo no", timeout=0.1)
    assert repr(result.ended) == repr(Shell().run("sleep 9", timeout=0.1).ended) and not result.stdout


def test_a_late_answer_is_thrown_away() -> None:
    def late(data: bytes, around: DirectContext) -> tuple[int, bytes]:
        while around.scope.stop is None:
            time.sleep(0.001)
        return 0, b"late\n"

    result = answering(late).run("echo a | act; echo no", timeout=0.1)
    assert result.ended.kind == "stopped" and not result.stdout


def test_an_input_is_cached_for_its_run_only() -> None:
    seen: list[int] = []

    def counting(data: bytes, around: DirectContext) -> tuple[int, bytes]:
        around.cache["act"] = around.cache.get("act", 0) + 1
        seen.append(around.cache["act"])
        return 0, b""

    shell = answering(counting)
    shell.run("echo a | act; echo b | act")
    shell.run("echo a | act")
    assert seen == [1, 2, 1]


def test_a_module_at_home_counts() -> None:
    shell = Shell(fs=MemoryFS(), env={"HOME": "/home"})
    first = "v=$(echo '{\"a\":1}' | jq '.a|tojson'); echo $v; "
    result = shell.run(f"{first} mkdir /home; echo 'def tojson: \"mine\";' >/home/.jq; {first}")
    assert result.stdout == b"1\nmine\n".replace(b"1\n", b'"1"\n').replace(b"mine", b'"mine"')


@pytest.mark.parametrize(("stage", "times"), [("od", 0), ("head -n 1 nosuch", 1), ('head -n 1 "$x"', 1), ("cat", 3)])
def test_a_futile_attempt_is_made_once(stage: str, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    whole = Fused._filter

    def counted(self: Fused, *given: object) -> object:
        tried.append("")
        return whole(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Fused, "_filter", counted)
    Shell().run(f"# {times}\nx=nosuch; for i in 1 2 3; do v=$(echo a | {stage}); done")
    assert len(tried) == times

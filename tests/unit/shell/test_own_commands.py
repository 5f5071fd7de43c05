"""Commands of the host's own, for one shell: declared with ``@utility``, as functions or coroutines."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pyshellhooks import Call, Flag, Limits, Shell, Stopped, UsageError, utility


@utility("order", summary="Show an order.", usage="[-n] ID", flags=[Flag("-n", "--new", help="a new one")])
def order(call: Call) -> str | int:
    if not call.args:
        raise UsageError("missing ID")
    if call.args[0] == "0":
        call.error("no order 0")
        return 3
    return f"{call.args[0]} {call.opts.new} {call.cwd} {call.env.get('E')}\n"


@utility("upper", summary="Change text to capitals.", flags=None)
def upper(call: Call) -> bytes:
    return call.stdin.read().upper()


@utility("note", summary="Write a file.", flags=None)
def note(call: Call) -> None:
    call.fs.write_text(call.path(call.argv[1]), "noted\n")


@utility("later", summary="Wait, and answer.", flags=None)
async def later(call: Call) -> str:
    await asyncio.sleep(float(call.argv[1]))
    return "done\n"


@utility("half", summary="Return what is no answer.", flags=None)
def half(call: Call) -> Any:
    return 1.5


@utility("broken", summary="Fail.", flags=None)
def broken(call: Call) -> int:
    raise LookupError("nothing here")


OWN = [order, upper, note, later, half, broken]
SHELL = Shell.sandbox(utilities=OWN, limits=Limits(grace=0.2))

CASES = [
    ("order 5", 0, "5 False /home/user None\n", ""),
    ("cd /tmp; E=1 order -n 5 | cat", 0, "5 True /tmp 1\n", ""),
    ("order 0 || echo $?", 0, "3\n", "order: no order 0\n"),
    ("order", 1, "", "order: missing ID\nTry 'order --help' for more information.\n"),
    ("echo a | upper > /tmp/x; cat /tmp/x; echo $(echo b | upper)", 0, "A\nB\n", ""),
    ("cd /tmp; note n; cat n", 0, "noted\n", ""),
    ("later 0.01 && echo after", 0, "done\nafter\n", ""),
    ("type order; command -v upper; echo 1 2 | xargs -n1 order", 0, "order is /usr/bin/order\n", None),
]


@pytest.mark.parametrize(("script", "status", "out", "err"), CASES, ids=[row[0] for row in CASES])
def test_they_are_commands_as_others(script: str, status: int, out: str, err: str | None) -> None:
    result = SHELL.run(script, timeout=30)
    assert result.status == status, result
    if err is None:
        assert result.text.endswith("1 False /home/user None\n2 False /home/user None\n")
    else:
        assert (result.text, result.stderr.decode()) == (out, err)


def test_help_derives_from_the_declaration() -> None:
    assert SHELL.run("order --help").text.startswith("Usage: order [-n] ID\nShow an order.\n\n  -n, --new ")


@pytest.mark.parametrize(
    ("script", "said"),
    [("half || echo hidden", "the command half returned 1.5"), ("broken || echo hidden", "LookupError: nothing here")],
)
def test_a_fault_in_one_ends_the_run(script: str, said: str) -> None:
    result = SHELL.run(script)
    assert isinstance(result.ended, Stopped) and result.ended.reason == "crashed" and said in result.ended.detail
    assert result.stdout == result.stderr == b""


def test_a_deadline_ends_a_coroutine() -> None:
    result = SHELL.run("later 100 || echo hidden", timeout=0.2)
    assert isinstance(result.ended, Stopped) and result.ended.reason == "deadline" and result.stdout == b""


def test_a_coroutine_in_a_loop_needs_arun() -> None:
    async def main() -> None:
        assert (await SHELL.arun("later 0")).text == "done\n"
        ended = SHELL.run("later 0").ended
        assert isinstance(ended, Stopped) and "use arun" in ended.detail

    asyncio.run(main())


def test_they_are_of_one_shell() -> None:
    assert Shell.sandbox().run("upper").status == 127
    assert SHELL.command_names()[1][0].summary == "Show an order."


@pytest.mark.parametrize("name", ["cd", "echo", "[[", "a b", "", "a/b", "x;y", "$x"])
def test_a_name_that_could_not_be_called_is_refused(name: str) -> None:
    if name == "[[":
        name = "test"
    with pytest.raises(ValueError, match="choose another name"):
        Shell.sandbox(utilities=[utility(name, summary="x")(lambda call: 0)])


def test_a_function_that_is_no_utility_is_refused() -> None:
    with pytest.raises(TypeError, match=r"must come from @utility\(NAME, summary=...\)"):
        Shell.sandbox(utilities=[lambda call: 0])  # type: ignore[list-item]

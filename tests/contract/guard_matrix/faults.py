"""The mishaps with hooks' files, and with what hooks do: each spoils a bench, and mends it when asked to go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from pyshellhooks import Limits

from .bench import Bench, deciding, inline, no, reading, script
from .systems import Event

Fault = Callable[[Bench], Iterator[None]]
FAULTS: dict[str, Fault] = {}


def fault(made: Fault) -> Fault:
    FAULTS[made.__name__] = made
    return made


# -- the hook's file ---------------------------------------------------------------------------------------------------


@fault
def hook_missing(bench: Bench) -> Iterator[None]:
    bench.scripts()
    for event in bench.events:
        bench.script_of(event).unlink()
    yield
    bench.scripts()


@fault
def not_executable(bench: Bench) -> Iterator[None]:
    bench.scripts(mode=0o644)
    yield
    for event in bench.events:
        bench.script_of(event).chmod(0o755)


@fault
def script_crlf(bench: Bench) -> Iterator[None]:
    bench.scripts(lambda event: script(event).replace("\n", "\r\n"))
    yield
    bench.scripts()


@fault
def script_bom(bench: Bench) -> Iterator[None]:
    bench.scripts(lambda event: b"\xef\xbb\xbf" + script(event).encode())
    yield
    bench.scripts()


@fault
def syntax_inline(bench: Bench) -> Iterator[None]:
    bench.commands(lambda event: inline(event).replace("esac", "fi"))
    yield
    bench.commands(inline)


@fault
def syntax_file(bench: Bench) -> Iterator[None]:
    bench.scripts(lambda event: script(event).replace("esac", "fi"))
    yield
    bench.scripts()


@fault
def interpreter_missing(bench: Bench) -> Iterator[None]:
    bench.scripts(lambda event: script(event, "#!/no/such/frobnicate"))
    yield
    bench.scripts()


def _python(event: Event) -> str:
    if isinstance(event.answer, int):
        says = f"sys.stderr.write('no'); sys.exit({event.answer})"
    else:
        says = f"print({json.dumps(json.dumps(event.answer))})"
    passes = "print('/srv/worktree')" if event.otherwise else "pass"
    lines = ["#!/usr/bin/env python3", "import sys", f"if '{event.mark}' in sys.stdin.read():", f"    {says}"]
    return "\n".join([*lines, "else:", f"    {passes}", ""])


@fault
def python_missing(bench: Bench) -> Iterator[None]:
    bench.scripts(_python)
    bench.env["PATH"] = f"{bench.root}/bin"
    yield


@fault
def tool_missing_inline(bench: Bench) -> Iterator[None]:
    bench.commands(lambda event: inline(event).replace("jq", "frobnicate"))
    yield
    bench.program("frobnicate", "#!/bin/sh\ncat\n")


@fault
def tool_missing_script(bench: Bench) -> Iterator[None]:
    bench.scripts(lambda event: script(event, before="set -e\nfrobnicate </dev/null\n"))
    yield
    bench.program("frobnicate", "#!/bin/sh\nexit 0\n")


@fault
def tool_missing_hidden(bench: Bench) -> Iterator[None]:
    bench.scripts(lambda event: script(event).replace("case $x", 'x=$(frobnicate 2>/dev/null <<<"$x")\ncase $x'))
    yield
    bench.program("frobnicate", "#!/bin/sh\nexec cat\n")


@fault
def tool_of_ours_missing_script(bench: Bench) -> Iterator[None]:
    bench.scripts(lambda event: f"#!/bin/bash\n{inline(event)}\n")
    bench.env["PATH"] = f"{bench.root}/bin"
    yield


# -- what the hook does ------------------------------------------------------------------------------------------------


@fault
def exit_1(bench: Bench) -> Iterator[None]:
    bench.commands(lambda event: "exit 1")
    yield
    bench.commands(inline)


@fault
def killed(bench: Bench) -> Iterator[None]:
    bench.commands(lambda event: "kill -9 $$")
    yield
    bench.commands(inline)


@fault
def timeout(bench: Bench) -> Iterator[None]:
    bench.commands(lambda event: inline(event, "sleep 30; "))
    for entry in bench.entries:
        entry.seconds = (
            1 if bench.system in ("docker_agent", "codex", "openhands") else 0.1
        )  # they take whole seconds only
    yield
    bench.commands(inline)
    for entry in bench.entries:
        entry.seconds = 0


@fault
def flood(bench: Bench) -> Iterator[None]:
    # Everruns has a bound of its own: it is passed here, and ours is not.
    bench.commands(lambda event: "printf '%100000s' x" if bench.system == "everruns" else inline(event, "yes || :; "))
    yield
    bench.commands(inline)


def _printing(bench: Bench, answer: Callable[[Event], str]) -> None:
    """Let guards answer something else where they deny."""
    bench.commands(lambda event: inline(event).replace(no(event), f"echo '{answer(event)}'"))


@fault
def bad_json(bench: Bench) -> Iterator[None]:
    _printing(bench, lambda event: '{"decision": deny, "permission": deny}')
    yield
    bench.commands(inline)


def _wrong(value: Any) -> Any:
    """Put a list where the decision stands."""
    if not isinstance(value, dict):
        return {"continue": "false"}
    inner = value.get("hookSpecificOutput")
    if inner is not None:
        key = next(key for key in inner if key != "hookEventName")
        return {"hookSpecificOutput": {**inner, key: [inner[key]]}}
    key = next(iter(value))
    return {**value, key: [value[key]]}


@fault
def wrong_type(bench: Bench) -> Iterator[None]:
    _printing(bench, lambda event: json.dumps(_wrong(event.answer)))
    yield
    bench.commands(inline)


#: A limit -> a bound for it, and text that goes over it and hides that as guards do.
LIMITS: dict[str, tuple[int, str]] = {
    "output": (1000, "printf '%2000s' x >&2; "),
    "substitution": (5000, "y=$(printf '%9000s' x) || :; "),
    "string": (5000, "y=$(printf '%3000s' x); y=$y$y$y || :; "),
    "array": (1000, "y=({1..2000}) || :; "),
    "expansion": (1000, "y=$(echo {1..2000}) || :; "),
    "glob": (10, "y=$(echo many/*) || :; "),
    "call_depth": (20, "f() { [ $1 = 0 ] || f $(($1 - 1)); }; f 40 || :; "),
    "parser_depth": (8, f"{'( ' * 12}:{' )' * 12} || :; "),
    "script": (3000, ". ./many/long.sh || :; "),
    "commands": (50, "for i in {1..100}; do :; done || :; "),
    "jobs": (2, "for i in 1 2 3 4; do sleep 30 & done; "),
    "threads": (2, "for i in 1 2 3 4; do exec {fd}< <(sleep 30); done || :; "),
    "stages": (3, ": | : | : | : | : || :; "),
    "open_files": (30, 'for i in {20..60}; do eval "exec $i</dev/null" || :; done; '),
    "written": (1000, "printf '%2000s' x >many/w || :; "),
    "files": (5, "rm -r many/@; mkdir many/@; for i in 1 2 3 4 5 6; do : >many/@/$i; done || :; "),
    "memory": (16_000, "y=$(seq 1000 | tac) || :; "),
}


def limit(name: str) -> Fault:
    """Yield the fault of one limit."""

    def breach(bench: Bench) -> Iterator[None]:
        bound, text = LIMITS[name]
        many = bench.root / "many"
        many.mkdir()
        for number in range(20):
            (many / f"{number}.txt").touch()
        (many / "long.sh").write_text("# a long script\n" * 300)
        for event in bench.events:
            (many / event.native).mkdir()
        bench.commands(lambda event: inline(event, text.replace("@", event.native)))
        bench.options["limits"] = Limits(**{name: bound})
        yield
        del bench.options["limits"]

    return breach


@fault
def program_refused(bench: Bench) -> Iterator[None]:
    bench.commands(lambda event: inline(event).replace("jq", "/bin/cat | jq"))
    bench.options["spawn"] = False
    yield
    bench.options["spawn"] = True


@fault
def worker_lost(bench: Bench) -> Iterator[None]:
    bench.options["isolation"] = "process"
    bench.commands(lambda event: inline(event, "/bin/sh -c 'kill -9 $PPID; exec sleep 30' || :; "))
    yield
    bench.commands(inline)


__all__ = ["FAULTS", "LIMITS", "Fault", "deciding", "fault", "limit", "reading"]

"""``if`` rules: which calls a guard sees (claude_code 3). What can't be judged makes it run."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from clock import patient

from pyshellhooks import HookEngine
from pyshellhooks.dialects.claude_code.env_file import LONGEST, assignments
from pyshellhooks.dialects.claude_code.rules import BadRule, PathRule, Rule, wildcard
from pyshellhooks.dialects.claude_code.subcommands import Unclear, expands, subcommands


def texts(command: str) -> list[str]:
    return sorted(one.text for one in subcommands(command))


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("", []),
        ("ls -l", ["ls -l"]),
        ("A=1 B+=2 C[0]=3 git push", ["git push"]),
        ("A=1", []),
        ("a && b || c; d | e |& f & g\nh", list("abcdefgh")),
        ("echo $(git push; ls) x", ["git push", "ls", "echo $(git push; ls) x"]),
        ("echo `rm x`", ["rm x", "echo `rm x`"]),
        ("echo `a \\`b\\``", ["b", "a `b`", "echo `a \\`b\\``"]),
        ('echo "$(rm x)"', ["rm x", "echo $(rm x)"]),
        ("echo '$(rm x)'", ["echo $(rm x)"]),
        ("(cd x; rm y)", ["cd x", "rm y"]),
        ("{ rm y; }", ["rm y"]),
        ("! rm y", ["rm y"]),
        ("if a; then b; elif c; then d; else e; fi", list("abcde")),
        ("while a; do b; done", ["a", "b"]),
        ("f() { rm y; }; f", ["rm y", "f"]),
        ("for x in a b; do rm $x; done", ["for x in a b; do rm $x; done", "rm $x"]),
        ("export A='1 2' B", ["export A=1 2 B"]),
        ("diff <(rm x) y", ["rm x", "diff y"]),
        ("ls >$(rm x)", ["rm x", "ls"]),
        ("2>/dev/null rm x 2>&1", ["rm x"]),
        ("cat <<< 'rm x'", ["cat"]),
        ("'r'm \"x\"", ["rm x"]),
        ("r\\m x", ["rm x"]),
        ("rm\\\n x", ["rm x"]),
        ("ls # ; rm x", ["ls"]),
        ("echo a#b", ["echo a#b"]),
        ("echo ${X}", ["echo ${X}"]),
        ("time rm x", ["rm x"]),
        ("coproc rm x", ["rm x"]),
        ("echo ${x:-$(rm y)}", ["rm y", "echo ${x:-$(rm y)}"]),
    ],
)
def test_subcommands(command: str, found: list[str]) -> None:
    assert texts(command) == sorted(found)


@pytest.mark.parametrize(
    "command",
    [
        "echo 'x", 'echo "x', "echo `x", "echo $(x", "(x", "x)", "echo ${x", "echo $'a'",
        "cat <<E\nrm x\nE", "case x in x) rm y;; esac", "$(" * 200 + ")" * 200, "(" * 200 + ")" * 200,
    ],
)  # fmt: skip
def test_rules_that_are_not_plainly_understood(command: str) -> None:
    with pytest.raises(Unclear):
        subcommands(command)
    assert Rule("Bash(git *)").matches(("Bash",), {"command": command}, "/w", "/w", "/h")


@pytest.mark.parametrize("command", ["$X y", "$(echo rm) y", "`x` y", "r* y", "r? y", "/b[i]n/x", "{rm,y}", "~/x"])
def test_a_name_that_only_the_shell_knows(command: str) -> None:
    assert any(one.dynamic for one in subcommands(command))
    assert Rule("Bash(git *)").matches(("Bash",), {"command": command}, "/w", "/w", "/h")


@pytest.mark.parametrize("command", ["[ -f x ]", "[[ -f x ]]", "echo $X", "echo *"])
def test_a_name_that_is_plain(command: str) -> None:
    assert not any(one.dynamic for one in subcommands(command))
    assert not Rule("Bash(git *)").matches(("Bash",), {"command": command}, "/w", "/w", "/h")


@pytest.mark.parametrize("text", ["$(", "$((1))", "`x`", "$X", "${X}", "$1", "$@", "$?"])
def test_expansions(text: str) -> None:
    assert expands(f"echo {text}")


def test_a_dollar_alone_expands_nothing() -> None:
    assert not expands("echo 5$ 'x' $")


@pytest.mark.parametrize(
    ("pattern", "text", "hit"),
    [
        ("git *", "git push", True), ("git *", "git", False), ("*", "", True), ("a*b*c", "abc", True),
        ("a*b*c", "a1b2c", True), ("a*b*c", "acb", False), ("ab*bc", "abc", False), ("a\\*b", "a*b", True),
        ("a\\*b", "axb", False), ("a.c", "abc", False), ("a*", "a\nb", True), ("x", "x", True), ("x", "xy", False),
    ],
)  # fmt: skip
def test_wildcards(pattern: str, text: str, hit: bool) -> None:
    assert wildcard(pattern, text) is hit


def test_wildcards_are_quick() -> None:
    begun = time.monotonic()
    assert not wildcard("a*" * 5000 + "b", "a" * 20000)
    assert time.monotonic() - begun < patient(2)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "command",
    ["$(" * 9000, "`" * 19999, "a;" * 10000, "\\`" * 10000, "(a" * 9000, "${" * 9000, '"$(' * 6000, "<" * 20000],
)
def test_hostile_commands_are_judged_quickly(command: str) -> None:
    begun = time.monotonic()
    assert Rule("Bash(git *)").matches(("Bash",), {"command": command}, "/w", "/w", "/h") in (True, False)
    assert time.monotonic() - begun < patient(5)


@pytest.mark.parametrize(
    ("rule", "command", "runs"),
    [
        ('Bash(echo "a  b" *)', 'echo "a  b" c', True),  # as it is spelled counts too
        ("Bash(git:*)", "git", True),
        ("Bash(git:*)", "gitk", False),
        ("Bash(git push*)", "git pull", False),
        ("Bash(git push*)", "git push-x", True),
        ("Bash(npm run *)", "FOO=1 npm run x", True),
        ("Bash(git *)", "x" * 30_000, True),  # too long to be taken apart
        ("Bash()", "ls", True),
        ("PowerShell(ls)", "ls", False),
    ],
)
def test_shell_rules(rule: str, command: str, runs: bool) -> None:
    assert Rule(rule).matches(("Bash",), {"command": command}, "/w", "/w", "/h") is runs


@pytest.mark.parametrize(
    "text",
    ["", "Bash(", "Bash(x", "(x)", "Bash(a) Edit(b)x", "Bash(a) Edit(b)", "Bash(a), Edit(b)", "Bash,Edit", "*", "a b"],
)
def test_bad_rules(text: str) -> None:
    with pytest.raises(BadRule):
        Rule(text)


@pytest.mark.parametrize(
    ("pattern", "path", "hit"),
    [
        ("*.ts", "/w/app/a/b.ts", True),
        ("*.ts", "b.tsx", False),
        ("*.ts", "/elsewhere/a.ts", True),
        ("src/**", "src/a/b", True),
        ("./src/**", "src/a", True),
        ("src/**", "/w/app/x/src/a", False),
        ("src/**", "src/../src/a", True),
        ("src/**", "../src/a", False),
        ("src/*", "src/a/b", True),  # what names a directory names all in it
        ("**/src/**", "x/src/a", True),
        ("/src/**", "/w/src/a", True),  # of the project
        ("/src/**", "/w/app/src/a", False),
        ("//etc/**", "/etc/passwd", True),
        ("//etc/**", "/w/etc/passwd", False),
        ("~/.ssh/*", "/h/.ssh/id", True),
        ("~/.ssh/*", "~/.ssh/id", True),
        ("secrets", "a/secrets/b", True),
        ("build/", "a/build/x", True),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/c/d/b", True),
        ("a?c", "abc", True),
        ("[ab].txt", "b.txt", True),
        ("a.ts", "A.ts", True),
        (".env", ".ENV", True),
        ("SRC/**", "src/a.ts", True),
        ("/src/a.ts", "/w/SRC/a.ts", True),
        ("./.env", "sub/.env", True),
        ("src/**", "src", True),
        ("**/secrets/**", "a/b/secrets", True),
        ("src/*", "src", False),
        ("**", "x", True),
        ("//**", "/etc/passwd", True),
        ("[", "x", False),
    ],
)
def test_paths(pattern: str, path: str, hit: bool) -> None:
    assert PathRule(pattern).matches(path, "/w/app", "/w", "/h") is hit


@pytest.mark.parametrize("path", ["C:\\w\\SRC\\a.ts", "c:/w/src/a.ts", "src\\a.ts"])
def test_paths_of_windows(path: str) -> None:
    assert PathRule("src/*.ts").matches(path, "C:/w", "C:/w", "C:/h")


def test_paths_are_quick() -> None:
    begun = time.monotonic()
    assert not PathRule("**/" * 200 + "b").matches("/a" * 400, "/w", "/w", "/h")
    assert time.monotonic() - begun < patient(5)


@pytest.mark.parametrize(
    ("rule", "tool", "value", "runs"),
    [
        ("Read(x)", "Read", {"file_path": 5}, True),
        ("Read(x)", "Read", {}, True),
        ("NotebookEdit(*.ipynb)", "NotebookEdit", {"notebook_path": "a.ipynb"}, True),
        ("Grep(src)", "Grep", {"path": "src"}, True),
        ("WebFetch(domain:*.example.com)", "WebFetch", {"url": "https://a.example.com/"}, True),
        ("WebFetch(domain:example.com)", "WebFetch", {"url": "https://example.com.evil/"}, False),
        ("WebFetch(domain:example.com)", "WebFetch", {"url": "http://[bad"}, True),
        ("WebFetch(x)", "WebFetch", {"url": "https://y"}, True),
        ("Agent(Explore)", "Agent", {"subagent_type": "Explore"}, True),
        ("Agent(Explore)", "Agent", {"subagent_type": "Plan"}, False),
        ("mcp__fs", "mcp__fs__write", {}, True),
        ("mcp__fs", "mcp__fsx__write", {}, False),
        ("mcp__fs__*", "mcp__fs__write", {}, True),
        ("mcp__fs__write", "mcp__fs__write", {}, True),
    ],
)
def test_other_tools(rule: str, tool: str, value: dict[str, object], runs: bool) -> None:
    assert Rule(rule).matches((tool,), value, "/w", "/w", "/h") is runs


@pytest.mark.parametrize(
    ("text", "found", "unclear"),
    [
        ("export A=1\nB='x y'\n# C=3\n\n", {"A": "1", "B": "x y"}, 0),
        ('A="q\\"r\\\\"', {"A": 'q"r\\'}, 0),
        ("A='it'\\''s'", {"A": "it's"}, 0),
        ("A=\nB=x;\nC=y # z", {"A": "", "B": "x", "C": "y"}, 0),
        ("A='two\nlines'", {"A": "two\nlines"}, 0),
        ("export A=1\r\n", {"A": "1"}, 0),
        ("A='$x'", {"A": "$x"}, 0),
        ("A=\\$x", {"A": "$x"}, 0),
        ("A=1\nA=2", {"A": "2"}, 0),
        ('export PATH="$PATH:/x"', {}, 1),
        ("A=$(date)", {}, 1),
        ("A=~/x", {}, 1),
        ("A=x B=y", {}, 1),
        ("unset A", {}, 1),
        ("export A", {}, 1),
        ("A=1\nB='open\nC=2", {"A": "1"}, 1),
        ("A=" + "x" * LONGEST, {}, 1),
    ],
)
def test_env_file(text: str, found: dict[str, str], unclear: int) -> None:
    variables, rest = assignments(text)
    assert (variables, len(rest)) == (found, unclear)


#: One session of the program with a hook for each rule, and 243 calls of Bash, all denied by another hook: the indices
#: of the rules whose hook was asked.
RECORDED = json.loads(Path(__file__).with_name("claude_code_rules.json").read_text("utf-8"))
#: Calls on which some hooks run here and not there: the pattern of a name, an expansion that is quoted or constant.
STRICTER = {
    "zap*", "~/zap x", "A=$(b) zap x", "a=$(zap x)", "export a=$(zap x)", "time zap", "zap > f", '"zap" x',
    'xargs "zap" x', 'y <<< "zap x"', "for zap in x; do y; done", "y $((1+1))", "y '$X'", 'y "a\\$b"', "y \\$X",
    'y "\\$X"', 'y "5$"', "y # $X",
}  # fmt: skip


@pytest.mark.parametrize("index", range(len(RECORDED["rules"])), ids=RECORDED["rules"])
def test_every_hook_that_the_program_runs_is_run_here(index: int) -> None:
    rule = Rule(RECORDED["rules"][index])
    missed, stricter = list[str](), set[str]()
    for command, rules in RECORDED["asked"]:
        runs = rule.matches(("Bash",), {"command": command}, "/w", "/w", "/h")
        if index in rules and not runs:
            missed.append(command)
        elif runs and index not in rules:
            stricter.add(command)
    assert missed == []
    assert stricter <= STRICTER


@pytest.mark.parametrize(
    ("rule", "is_asked"),
    [
        ("WebFetch(domain:example.com)", False),
        ("WebSearch(foo)", False),
        ("Agent(Explore)", False),
        ("TaskCreate(x)", False),
        ("WebFetch", True),
        ("WebFetch(*)", True),
        ("Monitor(sleep *)", True),
        ("Write(*.ts)", True),
    ],
)
def test_a_pattern_that_the_program_tries_on_no_call_is_named(rule: str, is_asked: bool) -> None:
    """Claude Code 2.1.332 never asks such a hook. Here it runs, and the verdict says so."""
    hook = {"type": "command", "if": rule, "command": "echo no >&2; exit 2"}
    tool_input = {"url": "https://example.com", "query": "foo", "subagent_type": "Explore", "file_path": "a.ts"}
    with HookEngine.load({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}, "claude_code") as engine:
        verdict = engine.fire("PreToolUse", tool_name=rule.partition("(")[0], tool_input=tool_input)
    assert verdict.blocked
    assert ("hook-never-runs" in [one.code for one in engine.diagnostics]) is not is_asked
    assert any("there the hook never runs" in one for one in verdict.notices) is not is_asked


@pytest.mark.parametrize("group", [{"matcher": "Task"}, {"matcher": "Task|Foo"}, {"matcher": "^Task$"}, {"if": "Task"}])
def test_a_tools_old_name_still_counts(group: dict[str, str]) -> None:
    """Claude Code 2.1.332 asks such a hook about ``Agent``; ``Tas`` and ``task`` match nothing there."""
    hook = {"type": "command", "command": "exit 2", **{key: group[key] for key in group if key == "if"}}
    groups = [{"hooks": [hook], **{key: group[key] for key in group if key == "matcher"}}]
    with HookEngine.load({"hooks": {"PreToolUse": groups}}, "claude_code") as engine:
        assert engine.fire("PreToolUse", tool_name="Agent", tool_input={"prompt": "x"}).blocked
        assert engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": "x"}).decision == "none"
    with HookEngine.load({"hooks": {"PreToolUse": [{"matcher": "Tas", "hooks": [hook]}]}}, "claude_code") as engine:
        assert engine.fire("PreToolUse", tool_name="Agent", tool_input={"prompt": "x"}).decision == "none"

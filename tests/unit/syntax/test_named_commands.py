"""Which commands a script names (POSIX XCU 2.9.1: the first word that is no assignment or redirection)."""

from __future__ import annotations

import pytest

from pyshellhooks.analysis.named_commands import named_commands
from pyshellhooks.errors import ShellSyntaxError


@pytest.mark.parametrize(
    ("script", "names"),
    [
        ("a | b && c || d; e &", "a b c d e"),
        ("X=1 a >out <in", "a"),
        ("if a; then b; elif c; then d; else e; fi", "a b c d e"),
        ("for x in $(a); do b; done; while c; do d; done; until e; do f; done", "a b c d e f"),
        ("case $(a) in x) b ;; *) c ;; esac", "a b c"),
        ("( a ); { b; }; ! c; time d", "a b c d"),
        ('echo "$(a "$(b)")" $(c) <(d)', "echo a b c d"),
        ("x=$(a) y=($(b)) ${z:-$(c)} $(( $(d) ))", "a b c d"),
        ("cat <<E\n$(a)\nE\ncat <<'E'\n$(b)\nE\n", "cat a cat"),
        ("[[ $(a) == x ]] && (( $(b) ))", "a b"),
        ("f() { a; f; }; f; g() { b; }", "a b"),
        ('$x a; "$x" b; ${y}z c', ""),
        ("'a' \"b\" c\\d", "a"),
        ("command a; builtin echo; exec b; nohup c", "command a builtin echo exec b nohup c"),
        ("env -i X=1 -u Y a b", "env a"),
        ("timeout -k 2 5 a; nice -n 5 b; xargs -0 -I {} c {}", "timeout a nice b xargs c"),
        ("find . -name x -exec a {} \\; -o -execdir b {} +", "find a b"),
        ("sh -c 'a; b'; bash -euc 'c' d; dash script.sh x", "sh a b bash c dash script.sh"),
        ("bash -euo pipefail x.sh a; bash +O extglob -o posix y.sh", "bash x.sh bash y.sh"),
        ("sh -euo pipefail -c a; bash -c -e 'b'; bash -oc posix c", "sh a bash b bash c"),
        ("sh - x.sh; bash --posix -- y.sh; sh -c; sh -o", "sh x.sh bash y.sh sh sh"),
        (". ./lib.sh; source other", ". ./lib.sh source other"),
        ("eval 'a; b' c; trap 'd' EXIT; trap - INT", "eval a b trap d trap"),
        ("a `b` c=`d`", "a b d"),
        ("xargs", "xargs"),
        ('sh -c "$x"; eval $y', "sh eval"),
    ],
)
def test_names(script: str, names: str) -> None:
    assert [command.name for command in named_commands(script)] == names.split()


def test_lines() -> None:
    commands = named_commands("a\nb | c\n\nsh -c 'x\ny'\n")
    assert [(command.name, command.line) for command in commands] == [
        ("a", 1),
        ("b", 2),
        ("c", 2),
        ("sh", 4),
        ("x", 4),
        ("y", 5),
    ]


def test_wrappers_in_wrappers_end_somewhere() -> None:
    assert [command.name for command in named_commands("command " * 30 + "a")] == ["command"] * 9


def test_a_script_that_does_not_parse() -> None:
    with pytest.raises(ShellSyntaxError):
        named_commands("a | | b")
    assert [command.name for command in named_commands("eval 'if'; a")] == ["eval", "a"]

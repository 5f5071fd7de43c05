"""Which commands a script is sure to need (decisions shebang).

"Sure means: it stands in command position on the top-level path, and nowhere in ``command -v``, ``type``, ``which``, ``hash``
or before ``||``; the script neither assigns PATH nor sources nor evals; and it parses here whole."
"""

from __future__ import annotations

import pytest

from pyshellhooks.analysis.needed_commands import needed_commands
from pyshellhooks.errors import ShellSyntaxError

# Construct -> the script, the names that every run needs which gets that far, the others that it names.
TABLE: dict[str, tuple[str, str, str]] = {
    "a simple command": ("jq . f", "jq", ""),
    "behind an assignment": ("LC_ALL=C sort f", "sort", ""),
    "the typical guard": ("CMD=$(jq -r .tool_input.command)\n[[ $CMD == rm* ]] && exit 2", "jq", "exit"),
    "a pipeline in a substitution": ('C=$(echo "$IN" | jq -r .c | head -1)', "echo jq head", ""),
    "a pipeline": ("cat f | grep x | sed s/a/b/", "cat grep sed", ""),
    "negated, timed": ("! grep -q x f; time jq .", "grep jq", ""),
    "substitution in a word": ('echo "a $(jq .x)" `sed p`', "jq sed echo", ""),
    "substitution in an array": ("a=($(jq .x) y)", "jq", ""),
    "substitution behind export": ("export C=$(jq .x)", "jq export", ""),
    "substitution in a redirection": ("echo x > $(mktemp)", "mktemp echo", ""),
    "here-document": ("cat <<E\n$(jq .)\nE", "jq cat", ""),
    "quoted here-document": ("cat <<'E'\n$(jq .)\nE", "cat", ""),
    "here-string": ('jq . <<< "$(sed p f)"', "sed jq", ""),
    "process substitution": ("diff <(jq .a f) <(jq .b f)", "jq diff", ""),
    "default of a parameter": ("x=${y:-$(jq .)}", "", "jq"),
    "arithmetic": ("x=$(( $(jq .) + 1 ))", "", "jq"),
    "condition of if": ("if jq -e . f; then sed p; elif awk 1; then tr a b; else cut -c1; fi", "jq", "sed awk tr cut"),
    "condition that asks for a version": ("if gh --version; then gh pr list; fi; sed p", "sed", ""),
    "version without a condition": ("gh --version; sed p", "gh sed", ""),
    "condition of while": ("while read -r l; do jq .; done", "read", "jq"),
    "condition of until": ("until grep x; do sed p; done", "grep", "sed"),
    "words of for": ("for x in $(jq .); do sed p; done", "jq", "sed"),
    "arithmetic for": ("for ((;;)); do jq .; done", "", "jq"),
    "word of case": ("case $(jq .t) in $(sed p)) tr a b ;; esac", "jq", "sed tr"),
    "right of &&": ("grep x && jq .", "grep", "jq"),
    "right of ||": ("grep x || jq .", "", "grep jq"),
    "left of ||": ("jq . || exit 2", "", "jq exit"),
    "left of && with || behind": ("sed p && jq . || exit 2; tr a b", "tr", "sed jq exit"),
    "right of the last ||": ("grep x || exit 0; jq .", "jq", "grep exit"),
    "before || in a substitution, sure elsewhere": ("A=$(jq .a); B=$(jq .b || true)", "", "jq true"),
    "in a test before ||": ('[ "$(jq -r .t)" = Bash ] || exit 0; sed p', "sed", "[ jq exit"),
    "subshell, group": ("( jq . ); { sed p; }", "jq sed", ""),
    "background": ("jq . & sed p", "jq sed", ""),
    "test command": ("[[ $(jq .a) == x && $(sed p) ]]", "jq", "sed"),
    "not in a test command": ("[[ ! -n $(jq .a) ]]", "jq", ""),
    "function that is never called": ("f() { jq .; }; sed p", "sed", "jq"),
    "function that is called": ('main() { jq .; local x=$(sed p); }\nmain "$@"', "jq sed local", ""),
    "function that is called earlier": ("f; f() { jq .; }", "", "jq"),
    "function that is defined twice": ("f() { jq .; }; f() { sed p; }; f", "", "jq sed"),
    "function that calls itself": ("f() { jq .; f; }; f", "jq", ""),
    "function under a condition": ("f() { jq .; }; [ x ] && f", "[", "jq"),
    "function before ||": ("f() { jq .; }; f || exit 2", "", "jq exit"),
    "function of that name": ("jq() { :; }; jq .", ":", ""),
    "alias of that name": ("alias jq=gojq; jq .; sed p", "alias sed", ""),
    "behind exit": ("sed p; exit 0; jq .", "sed", "exit jq"),
    "behind exec": ("exec sed p; jq .", "exec sed", "jq"),
    "behind exec of descriptors": ("exec 2>/dev/null; jq .", "exec jq", ""),
    "behind return": ("f() { return 0; jq .; }; f; sed p", "sed", "return jq"),
    "exit in a function": ("f() { exit; }; f; jq .", "", "exit jq"),
    "exit in a subshell": ("(exit 1); x=$(exit 2); exit 3 | cat; exit & jq .", "cat jq", "exit"),
    "exit under a condition": ("if x; then exit 0; fi; jq .", "x jq", "exit"),
    "wrappers": ("timeout 5 jq .; env -i A=b sed p; nice -n 5 tr a b", "timeout jq env sed nice tr", ""),
    "wrappers that may run nothing": ("xargs jq; sudo sed p; find . -exec tr a b \\;", "xargs sudo find", "jq sed tr"),
    "text for another shell": ("bash -c 'jq .'", "bash", "jq"),
    "text of a trap": ("trap 'jq .' EXIT", "trap", "jq"),
    "coprocess": ("coproc jq .", "", "jq"),
    "a name put together": ('$x a; "$y" b; ${z}q c; jq .', "jq", ""),
    # What the script asks for it can do without.
    "command -v": ("command -v jq >/dev/null || exit 0; jq .", "", "command exit"),
    "command -V and options": ("command -p -V jq; jq .; sed p", "command sed", ""),
    "type": ("if type jq; then jq .; fi; sed p", "type sed", ""),
    "type -P": ("type -P jq; jq .", "type", ""),
    "which": ("which -a jq; jq .; sed p", "which sed", ""),
    "hash": ("hash jq 2>/dev/null; jq .", "hash", ""),
    "[ -x ]": ("[ -x /usr/bin/jq ] && jq .; sed p", "[ sed", ""),
    "[[ -x ]]": ("[[ -x /usr/bin/jq ]]; jq .; sed p", "sed", ""),
    "in a function": ("have() { command -v jq; }; have; jq .; sed p", "command sed", ""),
    "any name": ('have() { command -v "$1"; }; have jq; jq .', "", ""),
    # What may change the meaning of every name.
    "PATH assigned": ("PATH=/opt/bin:$PATH; jq .", "", ""),
    "PATH before a command": ("PATH=/opt/bin sed p; jq .", "", ""),
    "PATH appended": ("PATH+=:/opt/bin; jq .", "", ""),
    "PATH exported": ('export PATH="$HOME/bin:$PATH"; jq .', "", ""),
    "PATH declared": ("declare -x PATH=/opt; jq .", "", ""),
    "PATH in env": ("env PATH=/opt jq .", "", ""),
    "PATH read": ("read -r PATH; jq .", "", ""),
    "PATH printed into": ("printf -v PATH %s /opt; jq .", "", ""),
    "PATH of a loop": ("for PATH in /a /b; do :; done; jq .", "", ""),
    "PATH behind a condition": ("if x; then PATH=/opt; fi; jq .", "", ""),
    "a sourced file": (". ./lib.sh; jq .", "", ""),
    "a sourced file in a function": ("f() { source lib.sh; }; jq .", "", ""),
    "eval": ("eval true; jq .", "", ""),
    "what bash runs for a missing command": ("command_not_found_handle() { :; }; jq .", "", ""),
    "backquotes that do not parse": ("x=`if`; jq .", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("construct", TABLE)
def test_needs(construct: str) -> None:
    script, sure, unsure = TABLE[construct]
    needs = needed_commands(script)
    assert (list(needs.sure), sorted(needs.unsure)) == (sure.split(), sorted(unsure.split()))


def test_a_script_that_does_not_parse() -> None:
    """Also where the mistake stands behind what needs the command."""
    with pytest.raises(ShellSyntaxError):
        needed_commands("jq .\nexit 0\nif")


@pytest.mark.parametrize(
    ("script", "certain"),
    [
        ("x=$(frob a)\ny", "frob y"),
        ("frob | y; z", "frob y z"),
        ("x && y; frob", "x frob"),
        ("if x; then y; fi; frob", "x frob"),
        ("if x; then exit; fi; frob", "x"),
        ("[ a ] || exit 0\nfrob", ""),
        ("case x in y) exit;; esac; frob", ""),
        ("case $(frob) in *) exit;; esac; y", "frob"),
        ("f() { [ a ] && return; }; f; frob", "["),
        ("while x; do kill $$; done; frob", "x"),
        ("frob || exit", ""),
        ("exit; frob", ""),
    ],
)
def test_commands_before_every_end_are_certain(script: str, certain: str) -> None:
    assert needed_commands(script).certain == tuple(certain.split())

"""The parts of a text that dash does not take: the table is asked of dash itself."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pyshellhooks.analysis.bash_only import bash_only, texts_for_sh
from pyshellhooks.syntax.parser import parse

#: A text, the name of the part that only bash takes, and a part of dash's own words; the text prints ``go`` where it goes on.
ROWS = [
    ("[[ a == a ]]", "[[ ]]", "[[: not found"),
    ("if [[ $x =~ rm ]]; then :; fi", "[[ ]]", "[[: not found"),
    ("((1 > 2))", "(( ))", "not found"),
    ("a=(1 2)", "arrays", "Syntax error"),
    ("a[0]=1", "arrays", "a[0]=1: not found"),
    ("a+=b", "+=", "a+=b: not found"),
    ("cat <<< x", "<<<", "Syntax error"),
    ("cat <(echo x)", "<( )", "Syntax error"),
    ("function f { echo x; }", "function", "Syntax error"),
    ("function f() { echo x; }", "function", "Syntax error"),
    ("x=abc; echo ${x//a/b}", "${name//}", "Bad substitution"),
    ("x=abc; echo ${x/a/b}", "${name/}", "Bad substitution"),
    ("x=abc; echo ${x^^}", "${name^^}", "Bad substitution"),
    ("x=abc; echo ${x,,}", "${name,,}", "Bad substitution"),
    ("x=abc; echo ${x:1:2}", "${name:from:to}", "Bad substitution"),
    ("x=abc; y=x; echo ${!y}", "${!name}", "Bad substitution"),
    ("x=abc; echo ${x[0]}", "arrays", "Bad substitution"),
    ("x=abc; echo ${x@Q}", "${name@}", "Bad substitution"),
    ("echo x |& cat", "|&", "Syntax error"),
    ("case a in a) :;& b) :;; esac", ";&", "Syntax error"),
    ("for ((i=0;i<2;i++)); do :; done", "for (( ))", "Syntax error"),
    ("select x in a b; do break; done", "select", "Syntax error"),
    ("[ a == a ]", "[ ==", "unexpected operator"),
    ("test a == a", "test ==", "unexpected operator"),
    ("test a =~ a", "test =~", "unexpected operator"),
    ("source /dev/null", "source", "source: not found"),
    ("declare x=1", "declare", "declare: not found"),
    ("typeset x=1", "typeset", "typeset: not found"),
    ("mapfile -t x", "mapfile", "mapfile: not found"),
    ("readarray -t x", "readarray", "readarray: not found"),
    ("shopt -s nullglob", "shopt", "shopt: not found"),
    ("pushd /", "pushd", "pushd: not found"),
    ("let x=1", "let", "let: not found"),
    ("builtin echo x", "builtin", "builtin: not found"),
    ("coproc cat", "coproc", "coproc: not found"),
    ("[ -v x ]", "[ -v", "unexpected operator"),
    ('x=$(</etc/passwd); [ -n "$x" ] || printf empty', "$(<file)", "empty"),
    ('[ -n "$(< /etc/passwd)" ] || printf empty', "$(<file)", "empty"),
    ("read", "read without a name", "arg count"),
    ("read -r", "read without a name", "arg count"),
    ("read -rs x", "read -rs", "Illegal option -s"),
    ("read -a x", "read -a", "Illegal option -a"),
    ("read -r -d '' x", "read -d", "Illegal option -d"),
    ("read -rn1 x", "read -rn1", "Illegal option -n"),
    ("read -t 1 x", "read -t", "Illegal option -t"),
    ("set -o pipefail", "set -o pipefail", "Illegal option -o pipefail"),
    ("set -euo pipefail", "set -o pipefail", "Illegal option -o pipefail"),
    ("printf -v x %s 1", "printf -v", "Illegal option -v"),
    ("printf %q x", "printf %q", "invalid directive"),
    ("trap 'exit 2' ERR", "trap ERR", "ERR: bad trap"),
    ("echo $'a'", "$' '", "$a"),
    ("exec {fd}>/dev/null", "{name}>", "not found"),
    ("printf x | grep -q y &>/dev/null && printf through", "&>", "through"),
    ("for i in {rm,dd}; do echo $i; done", "{a,b}", "{rm,dd}"),
    ("for i in {1..3}; do echo $i; done", "{a,b}", "{1..3}"),
    ("[ {a,b} ] && echo $?", "{a,b}", "0"),
    ("case a in [^b]) ;; *) printf other;; esac", "[^ ] in a pattern", "other"),
    ("case aa in x|*[^b]*) ;; *) printf other;; esac", "[^ ] in a pattern", "other"),
    ("x=abc; echo ${x#[^b]}", "[^ ] in a pattern", "abc"),
    ("x=abc; printf '<%s>' ${x%%[^a]*}", "[^ ] in a pattern", "<>"),
    ("i=1; echo $((i++))", "++", "expecting primary"),
    ("i=1; echo $((i--))", "--", "expecting primary"),
    ("i=1; echo $((++i))", "++", "1"),
    ("echo $((2**3))", "**", "expecting primary"),
    ("echo $((1,2))", ", in $(( ))", "expecting EOF"),
    ("echo $((16#ff))", "base#number", "expecting EOF"),
    ("echo $[1+1]", "$[ ]", "$[1+1]"),
    ('echo $"a"', '$" "', "$a"),
    ("my-guard() { :; }", "the function name my-guard", "Bad function name"),
    ("a.b() { :; }", "the function name a.b", "Bad function name"),
    ("f() { local -r x=1; }; f", "local -r", "bad variable name"),
    ("f() { local -a x; }; f", "local -a", "bad variable name"),
    ("export -f f", "export -f", "Illegal option -f"),
    ("readonly -a x", "readonly -a", "Illegal option -a"),
    ("type -t ls", "type -t", "-t: not found"),
    ("type -P ls", "type -P", "-P: not found"),
    ("exec -a x true", "exec -a", "-a: not found"),
    ("exit -1", "exit -1", "Illegal number"),
    ("f() { return -1; }; f", "return -1", "Illegal number"),
    ("[ -a /etc ]", "[ -a", "unexpected operator"),
    ("test -o errexit", "test -o", "unexpected operator"),
    ("set -o posix", "set -o posix", "Illegal option -o posix"),
    ("set -o errtrace", "set -o errtrace", "Illegal option -o errtrace"),
    ("printf '%(%Y)T' 0", "printf %( )T", "invalid directive"),
    ("echo a >& x", ">&file", "Bad fd number"),
    ("exec 10>/dev/null", "10>", "10: not found"),
    ("caller", "caller", "caller: not found"),
    ('[ -n "$RANDOM" ] || printf none', "$RANDOM", "none"),
    ('case $OSTYPE in "") printf none;; esac', "$OSTYPE", "none"),
    ('[ "$EUID" = "" ] && printf none', "$EUID", "none"),
    ('[ "$(echo -e a)" = a ] || printf other', "echo -e", "other"),
    ("case $(echo -ne a) in a) ;; *) printf other;; esac", "echo -e", "other"),
]
#: Texts that dash takes as bash does.
PLAIN = [
    'C=$(cat); case "$C" in *rm*) echo no >&2; exit 2;; esac',
    'x=${1:-"a"}; echo "$x" "${x%a}" "${x##*b}" "${#x}" "${x:+y}"',
    '[ "$x" = a ] && [ -n "$x" ]',
    "f() { local y=1; echo $y; }; f",
    "set -eu; trap 'exit 2' EXIT TERM",
    "read -r line; printf '%s\\n' \"$line\"",
    "bash -c '[[ a == a ]]'",
    "awk '{ a[1]=2 }' </dev/null",
    "echo '[[ x ]]' \"a=(1)\" 'x |& y'",
    "cat <<'EOF'\n[[ x ]]\nEOF",
    '[ -n "$BASH_VERSION" ] || exec bash "$0" "$@"\n[[ a == a ]]',
    "exec /usr/bin/env bash -c '[[ a == a ]]'; [[ b ]]",
    "command -v ls &>/dev/null",
    ". /dev/null",
    "exit 0\n[[ a ]]",
    "exec true\n[[ a ]]",
    "case a in [!b]) ;; '[^b]') ;; esac; echo '[^b]' | grep '[^b]'",
    "mkdir -p {a,b}; echo {a,b}; x={a,b}; case x in {a,b}) ;; esac",
    "i=$((i + 1)); : $((i -= 1)) $((i - -1)) $((0x1f)) $((i > 1 ? 2 : 3))",
    "set -e; set -u; set -eu; set -o errexit; set -- a -o b; set +o noglob",
    "my_guard() { return 1; }; my_guard || exit 0",
    "export X=1; readonly Y=2; type ls; exec 9>/dev/null; exec true",
    '[ -e /etc -a -d /etc ]; [ -n "$x" -o -z "$y" ]; [ a ]; [ -a ]; test',
    "printf '%s\\n' '%(%Y)T'; echo a >&2 2>&1 3>&-; exit 1",
    'RANDOM=1; [ -n "$RANDOM" ]; [ -n "${EUID:-}" ]; : "$RANDOM"',
    "x=$(echo -e a); echo -e a >&2",
    'echo "a$" "$$" "\\$"a',
]


@pytest.mark.parametrize(("text", "name", "words"), ROWS, ids=[text for text, _, _ in ROWS])
def test_each_part_has_its_name(text: str, name: str, words: str) -> None:
    found = bash_only(parse(text), text)
    assert [one.name for one in found][:1] == [name]
    assert text[found[0].pos : found[0].end]


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_text_has_no_bash_part(text: str) -> None:
    assert bash_only(parse(text), text) == []


def test_texts_for_sh() -> None:
    tree = parse("sh -c '[[ a ]]'; bash -c '[[ b ]]'; /bin/dash -ec 'c'; sh x.sh")
    assert [text for _, text in texts_for_sh(tree)] == ["[[ a ]]", "c"]


@pytest.mark.oracle
@pytest.mark.slow
def test_dash_rejects_all_of_them(program: Callable[..., str], tmp_path: Path) -> None:
    """dash 0.5.12 says so itself; of a plain text it says nothing."""
    dash = program("dash")

    def output(text: str) -> str:
        done = subprocess.run([dash, "-c", text], input=b"a b\n", capture_output=True, cwd=tmp_path, timeout=60)
        return (done.stdout + done.stderr).decode()

    assert [text for text, _, words in ROWS if words not in output(text)] == []
    plain = [text for text in PLAIN if "bash" not in text.lower()]
    assert [text for text in plain if "dash: " in output(text)] == []

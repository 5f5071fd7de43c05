"""Generated and damaged scripts through the parser: no crash, no hang, linear time, and printing loses nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter, thread_time

import pytest

from pyshellhooks.errors import ShellSyntaxError, Stop
from pyshellhooks.syntax.parser import parse
from tests.property.generated_commands import script
from tests.property.parser_runs import Broken, check, failures

# What other programs take counts for nothing; on Windows that clock ticks 64 times a second.
seconds = perf_counter if sys.platform == "win32" else thread_time

# Shapes whose size doubles: what a parser that looks ahead or back too far is slow on.
SHAPES: dict[str, Callable[[int], str]] = {
    "commands": lambda n: "echo a; " * n,
    "lines": lambda n: "x=$y\n" * n,
    "word": lambda n: "echo " + "ab" * n,
    "quoted word": lambda n: 'echo "' + "a$x" * n + '"',
    "escapes": lambda n: "echo " + "\\a" * n,
    "backslashes": lambda n: "echo " + "\\" * 2 * n,
    "here-documents": lambda n: "cat <<E\na\nE\n" * n,
    "here-documents of one line": lambda n: "cat " + "<<E " * n + "\n" + "a\nE\n" * n,
    "an open here-document": lambda n: "cat <<E\n" + "a\n" * n,
    "an open quote": lambda n: "echo '" + "a b\n" * n,
    "open double quotes": lambda n: 'echo "' + 'a b" "\n' * n,
    "open braces": lambda n: "echo ${x:-" * 40 + "a" * n,
    "open substitutions": lambda n: "echo " + "$(echo a; " * 40 + "b " * n,
    "open arithmetic": lambda n: "echo $((" + "1+" * n,
    "parentheses that are no arithmetic": lambda n: "((echo a); echo b)\n" * n,
    "pipes": lambda n: "a | " * n + "b",
    "and-or": lambda n: "a && b || " * n + "c",
    "redirections": lambda n: "a " + ">f " * n,
    "assignments": lambda n: "a=b " * n,
    "array": lambda n: "a=(" + "[1]=b " * n + ")",
    "case": lambda n: "case x in\n" + "a|b) c;;\n" * n + "esac",
    "conditions": lambda n: "[[ a " + "&& b " * n + "]]",
    "comments": lambda n: "# a\n" * n,
    "braces": lambda n: "echo " + "{a,b}" * n,
    "brackets": lambda n: "echo " + "[" * n,
    "backquotes": lambda n: "echo " + "`echo a` " * n,
    "dollars": lambda n: "echo " + "$" * n,
    "functions": lambda n: "f() { a; }\n" * n,
    "continued lines": lambda n: "echo " + "a \\\n" * n,
}


def parsed(text: str) -> float:
    """Parse, whatever comes of it; give the seconds that it took."""
    began = seconds()
    try:
        parse(text)
    except (ShellSyntaxError, Stop):
        pass
    return seconds() - began


@pytest.mark.one_in(3, slow=3)
@pytest.mark.parametrize("shape", SHAPES)
def test_time_is_linear(shape: str) -> None:
    """Four times the text takes at most nine times as long: a square would be sixteen."""
    make = SHAPES[shape]
    for _ in range(4):
        small, double, large = (min(parsed(make(n)) for _ in range(2)) for n in (1500, 3000, 6000))
        if double < 4.5 * small + 0.005 and large < 9 * small + 0.01:
            return
    pytest.fail(f"1500, 3000 and 6000: {small:.4f}, {double:.4f} and {large:.4f} s")


@pytest.mark.parametrize("seed", range(6))
def test_scripts(seed: int) -> None:
    """As ``python -m tests.property.run_parser``, which runs 200,000, but short."""
    runs = list(failures(seed, 700))
    assert not [(text, wrong) for text, wrong, _ in runs if wrong]
    assert sum(good for _, _, good in runs) > 300


def test_the_same_seed_gives_the_same_script() -> None:
    assert script(5) == script(5) != script(6)
    assert script(5, bash=False) != script(5)


@pytest.mark.parametrize(
    "nested", ["(", "{ ", "$(", '"$(', "${x:-", "$((", "((", "if ", "while ", "case $(", "<(", "a=(", "[[ ("]
)
def test_nesting_has_a_bound_and_not_the_stack(nested: str) -> None:
    text = nested * 5000
    assert parsed(text) < 2.0
    assert check(text) is False


ROUND_TRIPS = (  # what printing or parsing got wrong once
    "x+\\\n=",
    "a[0]+\\\n=3 b=([1]+\\\n=2)",
    "declare m=\\\n(a b)",
    '"${s+\\\'}$x"',
    '"${s+\\\'}$x" "${s+\\\\\'}\'}"',
    '"${x-a\\\'"b\'"c\\\'}"',
    '"${a[@]:1\\:2}" "${a[@]: -2}"',
    "cat <<EOF\n $#; set` --; echo $#\\",
    "cat <<-'\tEOF'\na\n",
    '"${3%\\\n%""}" ${x/\\\n/a/b} ${x:\\\n-a} ${x^\\\n^}',
    '$(("\'" + (1) "\'")) && (("\'"))',
    "( true; !\n) && $(time -p\n)",
    'echo "$" "a\\$" "$x$" "\\\\$"',
    'echo `fi` "`echo \'a; )\\\\\\``" `if \\`b\\` "\\\\$x"`',
    "a=('')c b=(\"$x\" $y `z`\n [1]=$((1)))$d; declare e=(1 2)f",
)


@pytest.mark.parametrize("text", ROUND_TRIPS)
def test_round_trips(text: str) -> None:
    assert check(text)


def test_a_broken_promise_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.property import parser_runs

    monkeypatch.setattr(parser_runs, "print_list", lambda tree: "echo other")
    with pytest.raises(Broken, match="another tree"):
        check("echo a")

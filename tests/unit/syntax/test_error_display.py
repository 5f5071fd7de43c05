"""A syntax error shows the line, the place in it, and what was open since where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyshellhooks.errors import ShellSyntaxError
from pyshellhooks.syntax import check_text
from pyshellhooks.syntax.display import excerpt, fault, marked
from pyshellhooks.syntax.parser import parse
from pyshellhooks.syntax.source import Source


def shown(text: str) -> str:
    """The display of a text with one problem."""
    [problem] = check_text(text)
    return problem.display("hook.sh")


def test_the_line_the_caret_and_the_open_construct() -> None:
    assert shown("echo a\nif b; fi\n") == (
        "hook.sh:2:7: syntax error near unexpected token `fi'\n"
        "    if b; fi\n"
        "          ^\n"
        "  expected `then`; `if` on line 2 has no `fi` yet"
    )


def test_the_line_that_opened_it_is_shown_too() -> None:
    assert shown("f() {\n  if a; then\n    for x in y; do\n      b\n  fi\n}\n") == (
        "hook.sh:5:3: syntax error near unexpected token `fi'\n"
        "      fi\n"
        "      ^\n"
        "  expected `done`; `for` on line 3 has no `done` yet; inside `if` of line 2, in `{` of line 1\n"
        "        for x in y; do\n"
        "        ^"
    )


def test_an_error_at_the_end_of_the_text_shows_the_opener() -> None:
    assert shown("a\n\nif b; then\n  c\n") == (
        "hook.sh:5:1: syntax error: unexpected end of file\n"
        "  `if` on line 3 has no `fi`\n"
        "    if b; then\n"
        "    ^"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "place", "note"),
    [
        ("a\nb\nif c; then d", (3, 13), "`if` on line 3 has no `fi`"),
        ("if c", (1, 5), "`if` on line 1 has no `fi`; expected `then`"),
        ("while c", (1, 8), "`while` on line 1 has no `done`; expected `do`"),
        ("while c; do d", (1, 14), "`while` on line 1 has no `done`"),
        ("for x in y; do d", (1, 17), "`for` on line 1 has no `done`"),
        ("case x", (1, 7), "`case` on line 1 has no `esac`; expected `in`"),
        ("case x in\ny) z;;", (2, 7), "`case` on line 1 has no `esac`"),
        ("{ a", (1, 4), "`{` on line 1 has no `}`"),
        ("( a", (1, 4), "`(` on line 1 has no `)`"),
        ("[[ a == b", (1, 10), "`[[` on line 1 has no `]]`"),
        ('a\n  x y "b\nc', (2, 7), '`"` on line 2, column 7 is never closed'),
        ("a 'b", (1, 3), "`'` on line 1, column 3 is never closed"),
        ("a `b", (1, 3), "`` ` `` on line 1, column 3 is never closed"),
        ("a $(b", (1, 3), "`$(` on line 1, column 3 is never closed"),
        ("a ${b", (1, 3), "`${` on line 1, column 3 is never closed"),
        ("((a", (1, 1), "`((` on line 1, column 1 is never closed"),
        ("a=(b", (1, 3), "`(` on line 1, column 3 is never closed"),
        ("a <(b", (1, 3), "`<(` on line 1, column 3 is never closed"),
        ('if a; then\n  b "c', (2, 5), '`"` on line 2, column 5 is never closed; inside `if` of line 1'),
        ('x=$(\n  b "c)', (2, 5), '`"` on line 2, column 5 is never closed; inside `$(` of line 1'),
    ],
)
def test_the_open_construct_and_its_place(text: str, place: tuple[int, int], note: str) -> None:
    [problem] = check_text(text)
    assert ((problem.line, problem.column), problem.hint, problem.severity) == (place, note, "error")
    assert problem.begin == sum(len(line) + 1 for line in text.split("\n")[: place[0] - 1]) + place[1] - 1


def test_a_here_document_without_end_is_a_warning() -> None:
    """bash: "warning: here-document at line 2 delimited by end-of-file (wanted `EOF')", and it goes on."""
    [problem] = check_text("a\n  cat <<EOF\nb\n")
    assert problem.severity == "warning"
    assert problem.display("x") == (
        "x:2:9: warning: here-document at line 2 delimited by end-of-file (wanted `EOF')\n"
        "      cat <<EOF\n"
        "            ^\n"
        "  the here-document `EOF` of line 2 has no end"
    )


def test_a_here_document_that_swallowed_the_end_is_named() -> None:
    warning, error = check_text("if a; then\n  cat <<EOF\n  b\n  EOF\nfi\n")
    assert (warning.severity, error.severity) == ("warning", "error")
    assert error.hint == "`if` on line 1 has no `fi`; the here-document `EOF` of line 2 has no end"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n",
        "cat <<A\nb\nA\n",
        "cat <<-A <<'B'\nb\n\tA\nB",
        "echo $(cat <<A\nb\nA\n)",
        "shopt -s extglob\ncase x in !(a|b)) c;; esac\n",
        "\ufeffa\r\nif b; then\r\nc\r\nfi\r\n",
    ],
)
def test_nothing_is_wrong(text: str) -> None:
    assert check_text(text) == []


def test_patterns_of_extglob_need_extglob() -> None:
    [problem] = check_text("echo !(a|b)\n")
    assert problem.message == "syntax error near unexpected token `('"


def test_text_that_nests_too_deep_is_a_problem_too() -> None:
    [problem] = check_text("a\n" + "( " * 5000)
    assert (problem.line, problem.severity) == (2, "error") and "nested in each other" in problem.message


def test_offsets_count_the_text_as_passed() -> None:
    """The parser takes a byte order mark and CR away; an offset into a config's string must know of them."""
    text = "\ufeffa\r\nb\nc )\r\n"
    [problem] = check_text(text)
    assert (problem.line, problem.column, text[problem.begin]) == (3, 3, ")")


def test_a_hooks_notice_is_two_lines() -> None:
    with pytest.raises(ShellSyntaxError) as caught:
        parse(Source("a\nif\tb; fi"))
    assert fault(caught.value) == (
        "syntax error: line 2, column 7: near unexpected token `fi' (expected `then`; `if` on line 2 has no `fi` yet)\n"
        "    if b; <HERE>fi"
    )
    with pytest.raises(ShellSyntaxError) as caught:
        parse(Source("if b; then\n"))
    assert fault(caught.value).endswith(
        "2, column 1: unexpected end of file (`if` on line 1 has no `fi`)\n    <HERE>if b; then"
    )


# --- lines ---------------------------------------------------------------------------------------------


def test_a_tab_stays_a_tab_and_a_wide_character_is_two() -> None:
    assert excerpt("\ta 漢e\u0301 )", 8) == "    \ta 漢e\u0301 )\n    \t      ^"


def test_no_control_character_reaches_the_terminal() -> None:
    assert excerpt("\x1b[2J\x07\x7f\x9b\udc80 )", 1) == "    \u241b[2J\u2407\ufffd\ufffd\ufffd )\n    ^"


def test_of_a_long_line_only_a_part_is_shown() -> None:
    text, caret = excerpt("a" * 3000 + ")" + "b" * 3000, 3001).split("\n")
    assert len(text) < 120 and text[caret.index("^")] == ")"
    assert text.startswith("    …a") and text.endswith("b…")


@given(st.text(st.characters(exclude_characters="\n\r")), st.integers(0, 300))
def test_any_line_and_column_can_be_shown(line: str, column: int) -> None:
    assert len(excerpt(line, column).split("\n")) == 2
    assert marked(line, column).count("<HERE>") >= 1


@given(st.lists(st.sampled_from(["if", "then", "fi", "(", ")", "$(", '"', "'", "\n", " ", "<<E", "E", "{", "}", "case", "in",
                                 ";;", "esac", "`", "\\", "((", "[[", "a", "=", "\r\n", "é", "\ufeff", "\0"]), max_size=25))  # fmt: skip
def test_any_text_can_be_checked(pieces: list[str]) -> None:
    """Every problem points into the text, and every display is three lines at least."""
    text = "".join(pieces)
    for problem in check_text(text):
        assert problem.line >= 1 and problem.column >= 1 and 0 <= problem.begin <= len(text) + 1
        assert problem.display("f").startswith(f"f:{problem.line}:{problem.column}: ")

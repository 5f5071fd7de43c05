"""What one reader of options promises, held for every utility that declares its options (POSIX XBD 12.2, getopt_long)."""

from __future__ import annotations

from copy import copy

import pytest

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.command import Flag, Flags, Registry, Utility
from pyshellhooks.errors import UsageError
from pyshellhooks.utilities._index import INDEX

# Operands, not options, by POSIX or by bash, whose builtins they are.
ALL_OPERANDS = {"echo": "bash's echo prints --help", "test": "one word is a string: true"}
# Their words are no options for a parser of clusters.
OWN_WORDS = frozenset({"[", "echo", "expr", "false", "jq", "printf", "test", "tomlq", "true", "xq", "yq"})
READERS = sorted(INDEX.keys() - OWN_WORDS)


def registered(name: str) -> Utility:
    """Load a utility."""
    found = REGISTRY.get(name)
    assert found is not None
    return found


def words(flag: Flag) -> list[str]:
    """Return an option's names as they are written."""
    return [*(f"-{name}" for name in flag.short), *(f"--{name.partition(' ')[0]}" for name in flag.long)]


def run(script: str, **env: str) -> tuple[int, str, str]:
    """Run a script without files and processes."""
    result = Shell(fs=MemoryFS(), spawn=False, env={"LC_ALL": "C", **env}).run(script, timeout=60)
    return result.status, result.stdout.decode(), result.stderr.decode()


@pytest.mark.parametrize("name", sorted(INDEX.keys() - ALL_OPERANDS.keys()))
def test_help_is_real(name: str) -> None:
    status, out, err = run(f"env '{name}' --help")
    assert (status, err) == (1 if name == "false" else 0, "")
    command = registered(name)
    assert out.startswith(f"Usage: {name}")
    assert command.summary in out
    for flag in command.listed:
        for word in words(flag):
            assert word in out, word
        assert flag.help, f"{words(flag)} has no help"


@pytest.mark.parametrize("name", sorted(ALL_OPERANDS))
def test_commands_without_help(name: str) -> None:
    status, out, _ = run(f"env {name} --help")
    assert status == 0
    assert not out.startswith("Usage")
    assert registered(name).help().startswith(f"Usage: {name}")


# printf takes what it does not know for its format, and Debian's which names no more than a letter, as the real ones do.
NAMELESS = frozenset({"[", "echo", "expr", "false", "printf", "test", "true", "which"})


@pytest.mark.parametrize("name", sorted(INDEX.keys() - NAMELESS))
def test_an_unknown_option_is_named(name: str) -> None:
    status, out, err = run(f"env '{name}' --zz-nothing </dev/null")
    assert status not in (0, 141)
    assert out == ""
    assert "zz-nothing" in err


@pytest.mark.parametrize("name", ["basename", "cut", "grep", "head", "ls", "sort", "tail", "uniq", "wc"])
def test_an_unknown_letter_is_named(name: str) -> None:
    status, out, err = run(f"{name} -@ </dev/null")
    assert status in (1, 2)
    assert out == ""
    assert err.startswith(f"{name}: invalid option -- '@'\n")


REFUSED = {
    "date --debug": "--debug",
    "date -s @0": "cannot set date",
    "sort --debug": "--debug",
    "ls --dired": "--dired",
    "ls --hyperlink": "--hyperlink",
    "cp --reflink=always a b": "--reflink=always",
    "cp --sparse=always a b": "--sparse=always",
    "env --block-signal true": "--block-signal",
}


@pytest.mark.parametrize("script", sorted(REFUSED))
def test_an_unsupported_option_is_an_error_that_names_it(script: str) -> None:
    status, out, err = run(f"{script} </dev/null")
    assert status != 0
    assert out == ""
    assert err.startswith(script.partition(" ")[0] + ": ")
    assert REFUSED[script] in err


@pytest.mark.parametrize("name", READERS)
def test_long_options_may_be_cut_short(name: str) -> None:
    flags = plain(name)
    names = {long: flag for flag in flags for long in flag.long}
    for long, flag in names.items():
        short = next(
            long[:size]
            for size in range(1, len(long) + 1)
            if long[:size] == long or {names[n].dest for n in names if n.startswith(long[:size])} == {flag.dest}
        )
        if short == "help"[: len(short)] and "help" not in names:
            short = long
        value = "=1" if flag.value else ""
        options, operands = flags.parse([f"--{short}{value}", "operand"], {})
        assert flag.dest in options, short
        assert operands == ["operand"]


@pytest.mark.parametrize("name", READERS)
def test_letters_cluster(name: str) -> None:
    flags = plain(name)
    switches = [flag for flag in flags if not flag.value and flag.short]
    valued = [flag for flag in flags if flag.value and not flag.optional and flag.short]
    cluster = "-" + "".join(flag.short[0] for flag in switches)
    if switches:
        options, _ = flags.parse([cluster], {})
        assert [dest for dest, _ in options.given] == [flag.dest for flag in switches]
    for flag in valued:
        start = cluster if switches else "-"
        assert flags.parse([f"{start}{flag.short[0]}x"], {})[0].value(flag.dest) == "x"
        assert flags.parse([f"{start}{flag.short[0]}", "x"], {})[0].value(flag.dest) == "x"
        with pytest.raises(UsageError, match=f"option requires an argument -- '{flag.short[0]}'"):
            flags.parse([f"{start}{flag.short[0]}"], {})


@pytest.mark.parametrize("name", READERS)
def test_two_dashes_end_the_options(name: str) -> None:
    options, operands = plain(name).parse(["--", "-a", "--", "--help"], {})
    assert options.given == []
    assert operands == ["-a", "--", "--help"]


@pytest.mark.parametrize("name", READERS)
def test_operands_end_the_options_where_posix_requires_it(name: str) -> None:
    flags = plain(name)
    long = next((f"--{flag.long[0]}" for flag in flags if flag.long and not flag.value), None)
    if long is None:
        pytest.skip("it has no long switch")
    options, operands = flags.parse(["operand", long], {"POSIXLY_CORRECT": ""})
    assert (options.given, operands) == ([], ["operand", long])
    options, operands = flags.parse(["operand", long], {})
    assert (len(options.given), len(operands)) == ((1, 1) if flags.permute else (0, 2))


@pytest.mark.parametrize(
    ("script", "posix", "gnu"),
    [
        ("cat f -n", (1, "x\n"), (0, "     1\tx\n")),
        ("wc f -l", (1, "1 1 2 f\n1 1 2 total\n"), (0, "1 f\n")),
        ("head f -n1", (1, "==> f <==\nx\n"), (0, "x\n")),
    ],
)
def test_posixly_correct_of_the_environment(script: str, posix: tuple[int, str], gnu: tuple[int, str]) -> None:
    made = "printf 'x\\n' > f; "
    assert run(f"{made}POSIXLY_CORRECT=1 {script}")[:2] == posix
    assert run(made + script)[:2] == gnu


def plain(name: str) -> Flags:
    """Return the options of a utility as the one parser reads them."""
    flags = registered(name).flags
    assert flags is not None, f"{name} reads its words itself: add it to OWN_WORDS"
    if any(len(short) > 1 for flag in flags for short in flag.short):
        pytest.skip("its words are an expression")
    rows = [copy(flag) for flag in flags.flags]
    for row in rows:
        row.kind = None  # any text is a value here
    return Flags(rows, permute=flags.permute, numeric=flags.numeric)


REGISTRY = Registry(INDEX)

"""``pyshellhooks completion SHELL``: completion scripts for these commands, generated from their parsers."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import NamedTuple

from . import COMMANDS, arguments, module_of, parsers

HOW = {
    "bash": 'eval "$(pyshellhooks completion bash)" in ~/.bashrc',
    "zsh": 'eval "$(pyshellhooks completion zsh)" in ~/.zshrc, after compinit',
    "fish": "pyshellhooks completion fish > ~/.config/fish/completions/pyshellhooks.fish",
    "powershell": "pyshellhooks completion powershell | Out-String | Invoke-Expression in $PROFILE",
}


class Choice(NamedTuple):
    """An option or an operand: its names (an operand has none), its help and its values.

    ``value``: the metavar, ``""`` for an option without a value. ``words``: the possible values, if they are known.
    """

    names: tuple[str, ...]
    help: str
    value: str
    words: tuple[str, ...]
    many: bool

    @property
    def files(self) -> bool:
        """Return whether the value is a path."""
        return not self.words and self.value in ("FILE", "DIR", "PATH", "HOST:PATH", "HOST[:PATH]", "ARG")


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "completion",
        "Print a script that completes these commands in a shell.",
        before="\n".join(["how to use it:", *(parsers.described(name, text, 14) for name, text in HOW.items())]),
        examples=("completion bash > completion.bash",),
    )
    command_parser.add_argument("shell", metavar="SHELL", choices=tuple(HOW), help=", ".join(HOW))
    return command_parser


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    options = parser().parse_args(argv)
    text = WRITERS[options.shell](table())
    arguments.write(arguments.to_json({"shell": options.shell, "script": text}) if options.json else text)
    return 0


def table() -> dict[str, list[Choice]]:
    """Return the options and operands of each command, from its parser."""
    known = _known()
    choices = {name: list(_choices(import_module(module_of(name)).parser(), known)) for name in COMMANDS}
    choices["help"] = [Choice((), "a command", "COMMAND", tuple(COMMANDS), False)]
    return choices


def _known() -> dict[str, tuple[str, ...]]:
    """Return the possible values of the metavars for hook systems and events."""
    from .. import dialects

    systems = tuple(sorted(dialects.names()))
    rows = (row for name in systems for row in dialects.get(name).events.values())
    events = tuple(sorted({neutral for row in rows for neutral in row.neutral}))
    return {"NAME[@EDITION]": systems, "DIALECT": systems, "EVENT": events}


def _choices(command_parser: argparse.ArgumentParser, known: dict[str, tuple[str, ...]]) -> Iterator[Choice]:
    for action in command_parser._actions:
        value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
        words = tuple(map(str, action.choices)) if action.choices else known.get(value, ())
        if command_parser.prog.endswith("dialects") and not action.option_strings:
            words = known["DIALECT"]
        many = action.nargs in ("*", "+") or isinstance(action, argparse._AppendAction)
        text = " ".join((action.help or "").replace("%%", "%").split())
        yield Choice(tuple(action.option_strings), text, value, words, many)


def _options(choices: Sequence[Choice]) -> list[Choice]:
    return [choice for choice in choices if choice.names]


def _flags(choices: Sequence[Choice]) -> list[tuple[str, Choice]]:
    """Return each name of each option, with its option."""
    return [(flag, choice) for choice in choices for flag in choice.names]


def _operands(choices: Sequence[Choice]) -> list[Choice]:
    return [choice for choice in choices if not choice.names]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def bash(commands: dict[str, list[Choice]]) -> str:
    """Return the script for bash 3.2 and later; bash completes paths if it finds no word."""
    cases = []
    for name, choices in commands.items():
        for option in _options(choices):
            if option.value:
                pattern = "|".join(f"{name}:{flag}" for flag in option.names)
                cases.append(f"    {pattern}) words='{' '.join(option.words)}' ;;")
        flags = " ".join(flag for flag, _ in _flags(choices))
        operands = " ".join(word for operand in _operands(choices) for word in operand.words)
        cases.append(f"    {name}:*) if [[ $cur == -* ]]; then words='{flags}'; else words='{operands}'; fi ;;")
    body = "\n".join(cases)
    first = " ".join([*commands, "--help", "--version", "--json"])
    # Bash splits words at "=", so --flag=VALUE arrives as three words.
    return f"""\
_pyshellhooks() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} words=
  if [[ $cur == = ]]; then cur=; fi
  if [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{first}' -- "$cur"))
    return
  fi
  case ${{COMP_WORDS[1]}}:$prev in
{body}
  esac
  if [[ $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); fi
}}
complete -o default -F _pyshellhooks pyshellhooks
"""


def zsh(commands: dict[str, list[Choice]]) -> str:
    """Return the script for zsh's ``_arguments``, to use as a file on ``fpath`` or with ``eval``."""

    def described(text: str) -> str:
        for char in "\\[]:":
            text = text.replace(char, f"\\{char}")
        return text

    def value(choice: Choice) -> str:
        name = described(choice.value)
        if choice.words:
            return f":{name}:({' '.join(choice.words)})"
        return f":{name}:_files" if choice.files else f":{name}: "

    def option_spec(flag: str, option: Choice) -> str:
        many = "*" if option.many else ""
        text = f"[{described(option.help)}]"
        if not option.value:
            return f"{many}{flag}{text}"
        equals = "=" if flag.startswith("--") else ""  # both --flag=VALUE and --flag VALUE are completed
        return f"{many}{flag}{equals}{text}{value(option)}"

    cases = []
    for name, choices in commands.items():
        specs = [_quoted(option_spec(flag, option)) for flag, option in _flags(choices)]
        for number, operand in enumerate(_operands(choices), 1):
            position = "*" if operand.many else str(number)
            specs.append(_quoted(position + value(operand)))
        cases.append(f"    {name})\n      _arguments \\\n        " + " \\\n        ".join(specs) + " ;;")
    rows = "\n".join(f"    {_quoted(f'{name}:{described(text)}')}" for name, text in COMMANDS.items())
    body = "\n".join(cases)
    # As a file on fpath the function is called at its end; with eval, compdef registers it.
    return f"""\
#compdef pyshellhooks
_pyshellhooks() {{
  local -a commands
  commands=(
{rows}
    'help:show the help of a command'
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local name=$words[2]
  shift words
  ((CURRENT--))
  case $name in
{body}
  esac
}}
if [[ $funcstack[1] == _pyshellhooks ]]; then
  _pyshellhooks "$@"
else
  compdef _pyshellhooks pyshellhooks
fi
"""


def fish(commands: dict[str, list[Choice]]) -> str:
    """Return the script for fish."""

    def quoted(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def values(choice: Choice) -> str:
        if choice.words:
            return f"-a {quoted(' '.join(choice.words))}"
        return "-F" if choice.files else ""

    def option(choice: Choice) -> str:
        parts = []
        for flag in choice.names:
            parts.append(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}")
        if choice.files:
            parts.append("-r")
        elif choice.value:
            parts.append("-x")  # a value that is not a file
        parts += [values(choice), "-d", quoted(choice.help)]
        return " ".join(filter(None, parts))

    first = "complete -c pyshellhooks -n __fish_use_subcommand"
    lines = ["complete -c pyshellhooks -f"]
    lines += [f"{first} -a {name} -d {quoted(COMMANDS.get(name, 'show the help of a command'))}" for name in commands]
    lines += [f"{first} -s h -l help -d 'show help'", f"{first} -s V -l version -d 'print the version'"]
    for name, choices in commands.items():
        here = f"complete -c pyshellhooks -n '__fish_seen_subcommand_from {name}'"
        for choice in choices:
            if choice.names:
                lines.append(f"{here} {option(choice)}")
            elif values(choice):
                lines.append(f"{here} {values(choice)} -d {quoted(choice.help)}")
    return "\n".join(lines) + "\n"


def powershell(commands: dict[str, list[Choice]]) -> str:
    """Return the script for PowerShell 5.1 and later; PowerShell completes paths if it finds no word."""

    def quoted(text: str) -> str:
        return "'" + text.replace("'", "''") + "'"

    def rows(pairs: Sequence[tuple[str, str]]) -> str:
        arrays = [f"@({quoted(word)}, {quoted(text)})" for word, text in pairs]
        if len(arrays) == 1:
            arrays = [f",{arrays[0]}"]  # the comma before a single row keeps it a row
        return f"@({', '.join(arrays)})"

    lines = [("", [(name, COMMANDS.get(name, "show the help of a command")) for name in commands])]
    for name, choices in commands.items():
        lines.append((f"{name} -", [(flag, option.help or flag) for flag, option in _flags(choices)]))
        words: list[tuple[str, str]] = []
        for operand in _operands(choices):
            words += [(word, operand.help or word) for word in operand.words]
        lines.append((name, words))
        for flag, option in _flags(choices):
            if option.value:
                lines.append((f"{name} {flag}", [(word, word) for word in option.words]))
    # @{} ignores case and would merge -o and -O; an ordinal Hashtable does not
    body = "\n".join(f"  $known[{quoted(key)}] = {rows(pairs)}" for key, pairs in lines)
    return f"""\
Register-ArgumentCompleter -Native -CommandName pyshellhooks -ScriptBlock {{
  param($wordToComplete, $commandAst, $cursorPosition)
  $known = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
{body}
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object {{ "$_" }})
  if ($wordToComplete) {{ $typed = @($typed | Select-Object -SkipLast 1) }}
  $key = ''
  if ($typed.Count) {{
    $key = $typed[0]
    $last = "$key $($typed[-1])"
    if ($typed.Count -gt 1 -and $known.ContainsKey($last)) {{ $key = $last }}
    elseif ("$wordToComplete".StartsWith('-')) {{ $key = "$key -" }}
  }}
  $known[$key] | Where-Object {{ $_ -and $_[0].StartsWith("$wordToComplete") }} | ForEach-Object {{
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }}
}}
"""


WRITERS: dict[str, Callable[[dict[str, list[Choice]]], str]] = {
    "bash": bash,
    "zsh": zsh,
    "fish": fish,
    "powershell": powershell,
}

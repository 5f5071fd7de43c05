"""The texts that a hook runs, as far as they can be read: they show its answers, and the words that it reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..engine.checks.doctor import CommandLookup, Look
from ..engine.config.host_context import read_host_context
from ..engine.scripts.referenced_scripts import read_disk
from ..engine.trust.trust import sample_jobs
from ..hooks.dialect import Dialect
from ..hooks.model import HookSpec
from ..shell import Shell
from ..text import decode

#: Programs that know nothing of hooks: they read no payload, and print no answer.
_OTHER_PROGRAMS = frozenset(
    "black biome bundle cargo curl docker eslint gh git go gofmt jest make mypy notify-send npm npx pip pnpm prettier "
    "pytest rubocop ruff rustfmt terraform tsc uv vitest yarn".split()
)
_INTERPRETERS = re.compile(r"(?:python|pypy|node|deno|bun|ruby|perl|php|tsx|ts-node)[\d.]*")
_EXIT_2 = re.compile(r"\b(?:exit|return)\b\D{0,4}2\b|\bsys\.exit\b|\bprocess\.exit\b|\bexitCode\b")


class ScriptTexts:
    """The texts that one hook runs. ``whole``: every one of them can be read here."""

    __slots__ = ("text", "whole")

    def __init__(self, text: str, whole: bool) -> None:
        self.text = text
        self.whole = whole

    def has_word(self, word: str) -> bool:
        """Return whether a text has a word, or may have it."""
        return not self.whole or re.search(rf"(?<![\w]){re.escape(word)}(?![\w])", self.text) is not None

    def has_value(self, value: str) -> bool:
        """Return whether a text has a string in quotes, or may have it."""
        return not self.whole or re.search(rf"""["'\\]{re.escape(value)}["'\\]""", self.text) is not None

    @property
    def may_exit_2(self) -> bool:
        """Whether a text ends with exit status 2, or may do so."""
        return not self.whole or _EXIT_2.search(self.text) is not None


def texts_of(dialect: Dialect, specs: Iterable[HookSpec], directory: str, env: Mapping[str, str]) -> list[ScriptTexts]:
    """Return the texts of hooks that would run in a directory, in the hooks' order."""
    every = list(specs)
    context = read_host_context(directory, env)
    shell = Shell(cwd=directory, env=env)
    jobs = {id(spec): job for spec, job in sample_jobs(dialect, every, context)}
    results = []
    for spec in every:
        job = jobs.get(id(spec))
        results.append(ScriptTexts(spec.command, False) if job is None else _look(Look(spec, job, shell), spec))
    return results


def _look(look: Look, spec: HookSpec) -> ScriptTexts:
    """Return the texts of one hook."""
    lookups = list(look.job())
    texts = [text.text for text in look.texts] or [spec.command]
    known = {text.file for text in look.texts}
    files = [lookup.path for lookup in lookups if lookup.kind == "script" and lookup.path not in known]
    whole = all(map(_is_readable, lookups))
    if any(map(_is_interpreter, lookups)) and not files:
        whole = whole and _is_inline(spec.command)
    for path in files:
        try:
            texts.append(decode(read_disk(path)))
        except OSError:
            whole = False
    return ScriptTexts("\n".join([*texts, *(spec.argv or ())]), whole)


def _is_interpreter(lookup: CommandLookup) -> bool:
    """Return whether a command is an interpreter, whose script is a file or its own argument."""
    return lookup.kind == "program" and _INTERPRETERS.fullmatch(_base(lookup)) is not None


def _is_readable(lookup: CommandLookup) -> bool:
    """Return whether a command is a script whose text is read, or can't read a payload and answer."""
    if lookup.kind in ("script", "builtin", "utility") or _is_interpreter(lookup):
        return True
    return _base(lookup) in _OTHER_PROGRAMS


def _base(lookup: CommandLookup) -> str:
    return lookup.name.rpartition("/")[2]


def _is_inline(command: str) -> bool:
    """Return whether the program of an interpreter is in the command itself: ``python3 -c '…'``."""
    return re.search(r"\s-(?:c|e|p|-eval)\s", command) is not None

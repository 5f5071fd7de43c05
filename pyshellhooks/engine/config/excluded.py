"""Hooks that are loaded only to be reported: untrusted, dropped for a mistake, or off in their agent."""

from __future__ import annotations

from ...errors import Diagnostic
from ...hooks.model import HookSpec
from ...notice import Notice


class ExcludedHook:
    """One hook that is not run, or a file (``spec`` is None) whose hooks could not be read.

    ``notice``: the reason and the fix. It is a fault, a deny under ``strict``, unless the agent does not run it either.
    """

    __slots__ = ("diagnostic", "file", "notice", "reported", "spec", "untrusted")

    def __init__(
        self,
        spec: HookSpec | None,
        notice: Notice,
        *,
        file: str = "",
        reported: bool = True,
        untrusted: bool = False,
        diagnostic: Diagnostic | None = None,
    ) -> None:
        self.spec = spec
        self.notice = notice
        self.file = file or (spec.origin.file if spec is not None else "")
        self.reported = reported  # reported on every verdict; else only in diagnostics
        self.untrusted = untrusted  # left out because its file is not trusted
        self.diagnostic = diagnostic  # the diagnostic of the config that reports it

    def __repr__(self) -> str:
        return f"ExcludedHook({self.spec or self.file}: {self.notice})"


class OffInAgent(ExcludedHook):
    """A file, or a part of one, that this engine loads and its agent does not. Its hooks run here."""

    __slots__ = ()

    def __init__(self, diagnostic: Diagnostic) -> None:
        notice = Notice(f"{diagnostic.place}: {diagnostic.message}", "off-in-agent", hint=diagnostic.hint)
        super().__init__(None, notice, file=diagnostic.file, reported=False, diagnostic=diagnostic)

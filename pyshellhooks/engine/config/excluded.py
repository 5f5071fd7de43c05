"""Hooks that are loaded only to be reported: untrusted, dropped for a mistake, or off in their agent."""

from __future__ import annotations

from ...errors import Diagnostic
from ...hooks.model import HookSpec
from ...notice import Notice


class ExcludedHook:
    """One hook that is not run, or a file (``spec`` is None) whose hooks could not be read."""

    __slots__ = ("diagnostic", "fault", "file", "hint", "message", "reported", "spec", "untrusted")

    def __init__(
        self,
        spec: HookSpec | None,
        message: str,
        hint: str = "",
        *,
        file: str = "",
        reported: bool = True,
        untrusted: bool = False,
        fault: bool = True,
        diagnostic: Diagnostic | None = None,
    ) -> None:
        self.spec = spec
        self.message = message
        self.hint = hint
        self.file = file or (spec.origin.file if spec is not None else "")
        self.reported = reported  # reported on every verdict; else only in diagnostics
        self.untrusted = untrusted  # left out because its file is not trusted
        self.fault = fault  # a deny under ``strict``; False if its agent does not run it either
        self.diagnostic = diagnostic  # the diagnostic of the config that reports it

    def __repr__(self) -> str:
        return f"ExcludedHook({self.spec or self.file}: {self.message})"


class OffInAgent(ExcludedHook):
    """A file, or a part of one, that this engine loads and its agent does not. Its hooks run here."""

    __slots__ = ("notice",)

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(
            None, diagnostic.message, diagnostic.hint, file=diagnostic.file, reported=False, diagnostic=diagnostic
        )
        self.notice = Notice(f"{diagnostic.place}: {diagnostic.message}", "off-in-agent", hint=diagnostic.hint)

"""Discovery of the files in the places where a system looks, and of the files that they name, with their trust."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from ... import host
from ...errors import Diagnostic, message_of
from ...hooks.dialect import ConfigFile, Dialect, HostContext
from ...hooks.failure_notices import left_out
from ...notice import Notice
from ..scripts.referenced_scripts import read_disk
from ..trust.trust import UNTRUSTED, Trust, TrustLock
from .excluded import ExcludedHook, OffInAgent
from .loading import LEADS_NOWHERE, Source, kind_of, moved_to, read_file, real_path, source_of

_LARGEST_UNTRUSTED = 1 << 20  # bytes of a file that is not trusted
OTHER_OWNER = left_out(
    "the file belongs neither to this user, nor to root, nor to the owner of its directory",
    "look at it, then chown it, or load it by name",
)


class Discovered:
    """The files in the places where a system looks, in merge order, with diagnostics and the locks of trust."""

    __slots__ = ("_dialect", "_place", "_real", "_trust", "absent", "locks", "diagnostics", "sources", "there")

    def __init__(self, dialect: Dialect, place: HostContext, trust: Trust | bool) -> None:
        self._dialect = dialect
        self._place = place
        self._trust = trust
        self._real: set[tuple[str, str]] = set()
        self.sources: list[Source] = []
        self.diagnostics: list[Diagnostic] = []
        self.locks: list[TrustLock] = []
        self.absent: list[ExcludedHook] = []  # rows for files without a Source
        self.there: list[str] = []

    def add(self, file: ConfigFile, why: Notice | None = None, brought: bool = False) -> None:
        """Add a file if it exists. ``why``: why its hooks are not run; ``brought``: another file names it."""
        if not os.path.lexists(file.path):
            return
        if not file.supported:
            self._report(file)
            return
        why_none = kind_of(file.path)
        if why_none:
            # A dangling link is a missing file for the system, too.
            code = "config-missing" if why_none == LEADS_NOWHERE else "config-unreadable"
            message, fix = f"{why_none}: no hooks are read from it", "replace it with a file, or remove it"
            self._report(ConfigFile(file.path, file.scope, message=message, hint=fix, code=code))
            return
        real = (real_path(file.path), file.entry)
        if file.plugin and real in self._real:
            return  # its manifest names it again
        if file.diagnostic is not None:
            source = read_file(file.path, file.scope, _LARGEST_UNTRUSTED)
            notice = left_out(file.diagnostic.message, file.diagnostic.hint, is_fault=False)
            source.exclude(notice, quiet=file.quiet)
        else:
            self._real.add(real)
            self.there.append(file.path)
            source, more = _read_with_trust(self._dialect, file, self._place, self._trust)
            self.locks += more
            if why is not None and source.exclusion is None:
                source.exclude(why)
        source.at(file).brought = brought
        if not source.text and source.diagnostic is None:
            return
        self.sources.append(source)
        moved = moved_to(self._dialect, source)
        if moved:
            ours, more = _read_with_trust(self._dialect, ConfigFile(moved, file.scope), self._place, self._trust)
            self.locks += more
            if source.exclusion is not None:  # the moved hooks are trusted only if their entry is
                ours.exclude(source.exclusion, quiet=source.quiet)
            self.sources.append(ours)

    def _report(self, file: ConfigFile) -> None:
        """Report a file that is not read, or that is read here and not by the system, also on verdicts."""
        diagnostic = file.diagnostic
        if diagnostic is None:
            return
        self.diagnostics.append(diagnostic)
        if diagnostic.code == "config-refused":
            self.absent.append(OffInAgent(diagnostic))
        elif diagnostic.code != "config-unsupported":
            is_fault = diagnostic.code == "config-unreadable"
            notice = left_out(diagnostic.message, diagnostic.hint, is_fault=is_fault)
            self.absent.append(ExcludedHook(None, notice, file=file.path))

    def add_brought(self, settings: Sequence[ConfigFile], user: bool) -> None:
        """Add the files that settings name. Those that only untrusted settings name are distrusted, too."""
        texts = {source.name: source for source in self.sources}
        sources = [(file, texts[file.path]) for file in settings if file.path in texts]
        trusted = [(file, source.text) for file, source in sources if source.exclusion is None]
        counts = self._dialect.brought(self._place, trusted)
        whys = [source.exclusion for _, source in sources if source.exclusion is not None]
        for file in counts:
            # Without the user's files (``user=False``), nothing is reported about them either.
            is_users_report = file.diagnostic is not None and file.scope == "user"
            if user or not is_users_report:
                self.add(file, brought=True)
        if whys:
            self._add_exclude([(file, source.text) for file, source in sources], counts, whys[0])

    def _add_exclude(
        self, settings: Sequence[tuple[ConfigFile, str]], counts: Iterable[ConfigFile], why: Notice
    ) -> None:
        """Add the files that settings name and that are not in ``counts``, excluded for the reason ``why``."""
        known = {file.path for file in counts}
        for file in self._dialect.brought(self._place, settings):
            if file.path not in known:
                self.add(file, why, brought=True)


def discover(dialect: Dialect, place: HostContext, *, trust: Trust | bool, user: bool = True) -> Discovered:
    """Read the files that exist where a system looks; project files only if trusted, the user's with ``user``.

    With a ``Trust``, also return its locks.
    """
    found = Discovered(dialect, place, trust)
    files = [file for file in dialect.places(place) if file.scope != "user" or user]
    for file in files:
        found.add(file)
    found.add_brought(files, user)
    if isinstance(trust, Trust):
        found.locks = [*trust.missing_config_locks(dialect, place, found.there), *found.locks]
    return found


def no_config_warning(directory: str) -> Diagnostic:
    """Return the warning that discovery has not found a config."""
    hint = (
        "name a file (--config FILE, HookEngine.load), or create one at a system's usual path (pyshellhooks dialects)"
    )
    message = "no hook config was found here"
    return Diagnostic(directory, 0, 0, message, hint, "warning", code="config-missing")


def _read_with_trust(
    dialect: Dialect, file: ConfigFile, place: HostContext, trust: Trust | bool
) -> tuple[Source, list[TrustLock]]:
    """Read a file, and mark its hooks as distrusted if they must not run; return it with the locks of trust."""
    if isinstance(trust, Trust) and file.scope == "project":
        return _by_content(dialect, file.path, trust)
    if file.scope == "project" and not trust:
        why: Notice | None = UNTRUSTED
    else:
        why = _by_owner(file, place)
    if why is None:
        return read_file(file.path, file.scope), []
    return read_file(file.path, file.scope, _LARGEST_UNTRUSTED).exclude(why), []


def _by_content(dialect: Dialect, path: str, trust: Trust) -> tuple[Source, list[TrustLock]]:
    """Read a project file once, so that the bytes whose hash is compared are the bytes that are loaded."""
    try:
        data = read_disk(path)
    except OSError as error:
        reason = message_of(error)
        why, locks = trust.check_config(dialect, path, None, reason)
        source = Source(path, "", "project", Diagnostic(path, 0, 0, reason, code="config-unreadable"))
    else:
        why, locks = trust.check_config(dialect, path, data)
        if why is not None and len(data) > _LARGEST_UNTRUSTED:
            problem = Diagnostic(path, 0, 0, f"larger than {_LARGEST_UNTRUSTED} bytes", code="config-unreadable")
            source = Source(path, "", "project", problem)
        else:
            source = source_of(path, data, "project")
    if why is not None:
        source = source.exclude(why)
    return source, locks


def _by_owner(file: ConfigFile, place: HostContext) -> Notice | None:
    """Leave out a file without a hash whose owner is not the user, root, or the owner of its directory.

    On a file system without real owners, such as on Windows, no file is distrusted.
    """
    if file.scope not in ("project", "user"):
        return None
    here = host.current()
    directory = place.cwd if file.scope == "project" else place.home
    here = host.current()
    try:
        owner = os.stat(file.path).st_uid
        if here.is_own(owner, file.path) or owner == os.stat(directory).st_uid:
            return None
    except OSError:
        return None
    return OTHER_OWNER


__all__ = ["Discovered", "discover", "no_config_warning"]

"""Trust of moved hooks: hooks that the user trusted before stay trusted in their new file, and no others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...engine.checks.trust_review import Survey
from ...engine.config.host_context import read_host_context
from ...engine.trust.store import CONFIG, Record, Store, TrustedFile, hash_of
from ...engine.trust.trust import Trust
from .targets import Target


def renew(
    target: Target,
    env: Mapping[str, str],
    before: bytes,
    contents: Mapping[str, bytes],
    events: Iterable[str],
    gone: Iterable[str] = (),
) -> bool:
    """Trust new contents of a project's files if the settings file is trusted with its current content.

    Return whether it is. Called before the settings are written: an unused trusted content does no harm, but a file
    without trust locks its events. ``gone``: files that are about to be removed. Raises ``OSError``,
    ``PyShellHooksError``.
    """
    if target.scope != "project":
        return False
    trust = Trust.of(Store.of(env), read_host_context(target.root, env), [target.dialect])
    name = trust.project.relative(target.path)
    record = trust.record
    if name is None or trust.problem is not None:
        return False
    if trust.moved:
        return False
    if record is None:
        record = _own_record(trust, name, target, env, before)
    if record is None or not record.knows(name, hash_of(before)):
        return False
    for path, data in contents.items():
        key = trust.project.relative(path)
        if key is not None:
            file = record.files.setdefault(key, TrustedFile(CONFIG))
            file.now(hash_of(data), {target.dialect.name: events})
    for path in gone:
        key = trust.project.relative(path)
        if key in record.files:
            record.files[key].present = False
    trust.store.write(record, contents.values())
    return True


def _own_record(trust: Trust, name: str, target: Target, env: Mapping[str, str], before: bytes) -> Record | None:
    """Create the record of a project whose files are all trusted through records of other projects; None if not.

    Once a project has a record, only that counts.
    """
    if not trust.allows(name, hash_of(before)):
        return None
    survey = Survey(target.root, env, "", {})
    if not survey.trusted:
        return None
    survey.keep()
    return trust.store.record(trust.project.real)

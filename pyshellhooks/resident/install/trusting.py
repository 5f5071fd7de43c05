"""Trust goes with the hooks: what the user trusted before stays trusted where it is moved to, and nothing else does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...engine.surroundings import look_around
from ...engine.trust import Trust
from ...engine.trust_store import CONFIG, Record, Store, TrustedFile, hash_of
from ...engine.trust_survey import Survey
from .targets import Target


def renew(
    target: Target,
    env: Mapping[str, str],
    before: bytes,
    contents: Mapping[str, bytes],
    events: Iterable[str],
    gone: Iterable[str] = (),
) -> bool:
    """Trust new contents of a project's files if the settings file is trusted with its content of now.

    Called before anything of the settings is written: one more trusted content harms nothing, and a file without trust
    locks its events. ``gone``: files that will not be there any more. Raises ``OSError``, ``PyShellHooksError``.
    """
    if target.scope != "project":
        return False
    trust = Trust.of(Store.of(env), look_around(target.root, env), [target.dialect])
    name = trust.project.relative(target.path)
    record = trust.record
    if name is None or trust.problem is not None or trust.moved:
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
    """Give a project its record whose files were all trusted elsewhere: with one it is known by that alone."""
    if not trust.allows(name, hash_of(before)):
        return None
    survey = Survey(target.root, env, "", {})
    if not survey.trusted:
        return None
    survey.keep()
    return trust.store.record(trust.project.real)

"""Gemini CLI's redaction of secrets: the removal of variables of the host from hooks' environments (gemini 2.2).

Off by default; on by a setting; strict in a GitHub workflow, where only variables known to be harmless remain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_KEEP = frozenset(
    "PATH HOME LANG SHELL TERM COLORTERM TMPDIR USER LOGNAME "
    "SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT WINDIR USERPROFILE USERNAME TEMP TMP PROGRAMFILES PROGRAMDATA APPDATA "
    "LOCALAPPDATA HOMEDRIVE HOMEPATH "
    "ADDITIONAL_CONTEXT AVAILABLE_LABELS BRANCH_NAME DESCRIPTION EVENT_NAME GITHUB_ENV IS_PULL_REQUEST "
    "ISSUES_TO_TRIAGE ISSUE_BODY ISSUE_NUMBER ISSUE_TITLE PULL_REQUEST_NUMBER REPOSITORY TITLE TRIGGERING_ACTOR".split()
)
_DROP = frozenset(
    "CLIENT_ID DB_URI CONNECTION_STRING DATABASE_URL AWS_DEFAULT_REGION AZURE_CLIENT_ID AZURE_TENANT_ID "
    "SLACK_WEBHOOK_URL TWILIO_ACCOUNT_SID GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_ACCOUNT FIREBASE_PROJECT_ID".split()
)
_WORDS = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "AUTH", "CREDENTIAL", "CREDS", "PRIVATE", "CERT")
# Bounded repetitions, lest a search be quadratic: a variable may hold 128 KB.
_SECRET = re.compile(
    r"-----BEGIN (?:[A-Z]{2,10} )?(?:PRIVATE KEY|CERTIFICATE)"
    r"|://[^:/\s]{1,256}:[^@/\s]{1,256}@"
    r"|gh[oprsu]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22}"
    r"|AIza[0-9A-Za-z_-]{35}"
    r"|A[KS]IA[A-Z0-9]{16}"
    r"|eyJ[\w-]{5,2000}\.[\w-]{5,2000}\."
    r"|[rs]k_(?:live|test)_[0-9A-Za-z]{24}"
    r"|xox[abprs]-[A-Za-z0-9-]{10}"
)


class Redaction:
    """The setting: on or off, and the user's lists. Hashable, so that equal settings share one result."""

    __slots__ = ("_key", "allowed", "blocked", "enabled")

    def __init__(self, enabled: bool = False, allowed: Iterable[str] = (), blocked: Iterable[str] = ()) -> None:
        self.enabled = enabled
        self.allowed = frozenset(name.upper() for name in allowed)
        self.blocked = frozenset(name.upper() for name in blocked)
        self._key = (self.enabled, self.allowed, self.blocked)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Redaction) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def applied(self, env: Mapping[str, str]) -> dict[str, str]:
        """Return the variables that hooks see."""
        strict = bool(env.get("GITHUB_SHA")) or env.get("SURFACE") == "Github"
        if not (self.enabled or strict):
            return dict(env)
        return {name: value for name, value in env.items() if self._keeps(name.upper(), value, strict)}

    def _keeps(self, name: str, value: str, strict: bool) -> bool:
        """Return whether a variable is kept. The first rule that applies decides."""
        if name.startswith("GEMINI_CLI_"):
            return True
        if _SECRET.search(value):
            return False
        if name.startswith("GIT_CONFIG_") or name in self.allowed:
            return True
        if name in self.blocked:
            return False
        if name in _KEEP:
            return True
        if name in _DROP or strict:
            return False
        return not any(word in name for word in _WORDS)

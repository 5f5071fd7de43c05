"""id: print user and group ids (POSIX XCU id; GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..fs.identity import identity
from ..host.identity import Identity
from ..text import encode, parse_digits
from .support.quoting import quote


class _Identity:
    """The ids of a user, or of this process."""

    def __init__(self, user: str | None, host: Identity) -> None:
        if user is None:
            self.uid, self.euid = host.uid(), host.euid()
            self.gid, self.egid = host.gid(), host.egid()
            others = host.groups()
        else:
            found = host.account(user)
            digits = user.removeprefix("+")
            if found is None and digits.isascii() and digits.isdecimal():
                found = host.account(parse_digits(digits))
            if found is None:
                raise LookupError(user)
            name, self.uid, self.gid = found
            self.euid, self.egid = self.uid, self.gid
            others = host.groups_of(name, self.gid)
        self.groups = list(dict.fromkeys([self.gid, self.egid, *others]))


class _Printer:
    """Printer of identities in the format of the options."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.named = "name" in call.opts
        self.real = "real" in call.opts
        self.zero = "zero" in call.opts
        self.several = len(call.args) > 1
        self.failed = False

    def user(self, number: int) -> str:
        found = identity(self.call.fs).account(number) if self.named else None
        if self.named and found is None:
            self.call.error(f"cannot find name for user ID {number}")
            self.failed = True
        return found[0] if found is not None else str(number)

    def group(self, number: int) -> str:
        found = identity(self.call.fs).group_name(number) if self.named else None
        if self.named and found is None:
            self.call.error(f"cannot find name for group ID {number}")
            self.failed = True
        return found if found is not None else str(number)

    def write(self, who: _Identity, what: str) -> None:
        end = "\0" if self.zero else "\n"
        if what == "user":
            text = self.user(who.uid if self.real else who.euid)
        elif what == "group":
            text = self.group(who.gid if self.real else who.egid)
        elif what == "groups":
            text = ("\0" if self.zero else " ").join(map(self.group, who.groups))
            # With several users, each list ends with two NULs.
            end += "\0" if self.zero and self.several else ""
        else:
            text = self.everything(who)
        self.call.out.write(encode(text + end))

    def everything(self, who: _Identity) -> str:
        host = identity(self.call.fs)

        def user(number: int) -> str:
            found = host.account(number)
            return f"{number}({found[0]})" if found else str(number)

        def group(number: int) -> str:
            found = host.group_name(number)
            return f"{number}({found})" if found is not None else str(number)

        words = [f"uid={user(who.uid)}", f"gid={group(who.gid)}"]
        if who.euid != who.uid:
            words.append(f"euid={user(who.euid)}")
        if who.egid != who.gid:
            words.append(f"egid={group(who.egid)}")
        words.append("groups=" + ",".join(map(group, who.groups)))
        return " ".join(words)


@utility(
    "id",
    summary="Print user and group information for each specified USER, or for the current process.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [USER]...",
    flags=[
        Flag("-a", help="ignore, for compatibility with other versions"),
        Flag("-Z", "--context", help="print only the security context (refused: security contexts are not supported)"),
        Flag("-g", "--group", help="print only the effective group ID"),
        Flag("-G", "--groups", help="print all group IDs"),
        Flag("-n", "--name", help="print a name instead of a number, for -ugG"),
        Flag("-r", "--real", help="print the real ID instead of the effective ID, with -ugG"),
        Flag("-u", "--user", help="print only the effective user ID"),
        Flag("-z", "--zero", help="delimit entries with NUL, not whitespace; not in the default format"),
    ],
)
def id(call: Call) -> int:
    opts = call.opts
    if "context" in opts:
        raise UsageError("--context (-Z) works only on an SELinux-enabled kernel", hint=False)
    kinds = [kind for kind in ("user", "group", "groups") if kind in opts]
    if len(kinds) > 1:
        raise UsageError('cannot print "only" of more than one choice', hint=False)
    if not kinds and ("name" in opts or "real" in opts):
        raise UsageError("cannot print only names or real IDs in default format", hint=False)
    if not kinds and "zero" in opts:
        raise UsageError("option --zero not permitted in default format", hint=False)
    printer = _Printer(call)
    users: list[str | None] = [*call.args] or [None]
    for user in users:
        try:
            printer.write(_Identity(user, identity(call.fs)), kinds[0] if kinds else "")
        except LookupError:
            why = "" if any(call.args) else ": No such file or directory"
            call.error(f"{quote(user or '', call.env)}: no such user{why}")
            printer.failed = True
    return int(printer.failed)

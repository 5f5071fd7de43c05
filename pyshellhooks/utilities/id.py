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
            account = host.account(user)
            # A name of digits is a name first (POSIX), and a number only if no user has it.
            digits = user.removeprefix("+")
            if account is None and digits.isascii() and digits.isdecimal():
                account = host.account(parse_digits(digits))
            if account is None:
                raise LookupError(user)
            name, self.uid, self.gid = account
            self.euid, self.egid = self.uid, self.gid
            others = host.groups_of(name, self.gid)
        # GNU lists the group of the process first, and each group once.
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
        if not self.named:
            return str(number)
        account = identity(self.call.fs).account(number)
        if account is None:
            return self._unnamed("user", number)
        return account[0]

    def group(self, number: int) -> str:
        if not self.named:
            return str(number)
        name = identity(self.call.fs).group_name(number)
        if name is None:
            return self._unnamed("group", number)
        return name

    def _unnamed(self, kind: str, number: int) -> str:
        """Report that a number has no name; GNU prints it all the same."""
        self.call.error(f"cannot find name for {kind} ID {number}")
        self.failed = True
        return str(number)

    def write(self, who: _Identity, what: str) -> None:
        end = "\0" if self.zero else "\n"
        if what == "user":
            text = self.user(who.uid if self.real else who.euid)
        elif what == "group":
            text = self.group(who.gid if self.real else who.egid)
        elif what == "groups":
            text = ("\0" if self.zero else " ").join(map(self.group, who.groups))
            if self.zero and self.several:
                end = "\0\0"  # with several users, each list ends with two NULs
        else:
            text = self.everything(who)
        self.call.out.write(encode(text + end))

    def everything(self, who: _Identity) -> str:
        words = [f"uid={self._numbered_user(who.uid)}", f"gid={self._numbered_group(who.gid)}"]
        if who.euid != who.uid:
            words.append(f"euid={self._numbered_user(who.euid)}")
        if who.egid != who.gid:
            words.append(f"egid={self._numbered_group(who.egid)}")
        words.append("groups=" + ",".join(map(self._numbered_group, who.groups)))
        return " ".join(words)

    def _numbered_user(self, number: int) -> str:
        account = identity(self.call.fs).account(number)
        return f"{number}({account[0]})" if account else str(number)

    def _numbered_group(self, number: int) -> str:
        name = identity(self.call.fs).group_name(number)
        return f"{number}({name})" if name is not None else str(number)


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
    kind = kinds[0] if kinds else ""
    users: list[str | None] = [*call.args] or [None]
    for user in users:
        try:
            printer.write(_Identity(user, identity(call.fs)), kind)
        except LookupError:
            why = "" if any(call.args) else ": No such file or directory"
            call.error(f"{quote(user or '', call.env)}: no such user{why}")
            printer.failed = True
    return int(printer.failed)

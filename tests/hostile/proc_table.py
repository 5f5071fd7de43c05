"""Every way to name the host's own process and its descriptors, and what scripts may try with such a name.

``SPELLINGS`` are shell prefixes and paths of the directory that the kernel keeps of a process, ``DESCRIPTORS`` those of one
descriptor, ``TARGETS`` what is in there, ``READS``, ``LOOKS`` and ``WRITES`` what is done. ``$P`` is the path, ``@`` in a
spelling the directory ``proc`` (which may be mounted elsewhere) and ``{…}`` numbers that only the host knows.
"""

from __future__ import annotations

from collections.abc import Iterator

SECRET = "s3cr3t"

# name -> (what the script does first, the directory)
SPELLINGS: dict[str, tuple[str, str]] = {
    "self": ("", "@/self"),
    "thread-self": ("", "@/thread-self"),
    "pid": ("", "@/{pid}"),
    "tid": ("", "@/{tid}"),
    "task": ("", "@/self/task/{pid}"),
    "task of a thread": ("", "@/{pid}/task/{tid}"),
    "task of tasks": ("", "@/self/task/{tid}/../{pid}"),
    "tid's task": ("", "@/{tid}/task/{pid}"),
    "slashes": ("", "/@//self//"),
    "dots": ("", "@/./self/."),
    "to and fro": ("", "@/../proc/self/../self"),
    "out of a thread": ("", "@/thread-self/../.."),
    "out of task": ("", "@/self/task/.."),
    "out of fd": ("", "@/self/fd/.."),
    "out of /dev/fd": ("", "/dev/fd/.."),
    "through sys": ("", "@/sys/../self"),
    "through mounts": ("", "@/sys/kernel/../../{pid}"),
    "root": ("", "@/self/root/proc/self"),
    "another's root": ("", "@/1/root/proc/{pid}"),
    "cwd": ("", "@/self/cwd/../../../../../../../../../../proc/self"),
    "a link": ("", "l-self"),
    "a link to a number": ("", "l-pid"),
    "a link to all": ("", "l-proc/self"),
    "a chain": ("", "l-chain/{pid}"),
    "a relative link": ("", "l-rel"),
    "a link to a thread": ("", "l-thread"),
    "a link in a directory": ("", "d/../d/l-self/../self"),
    "absolute by PWD": ("", "$PWD/l-proc/self"),
    "made by the script": ("rm -f mine; ln -s @/self mine;", "mine"),
    "made twice": ("rm -f m1 m2; ln -s @ m1; ln -s m1/thread-self m2;", "m2"),
    "after cd": ("cd @ || exit;", "self"),
    "after cd to it": ("cd @/self || exit;", "."),
    "after cd by a link": ("cd l-proc || exit;", "{pid}"),
    "after cd -P": ("cd -P l-proc/self || exit;", "."),
    "after cd to a thread": ("cd @/self/task/{tid} || exit;", "../../"),
    "after pushd": ("pushd @ > /dev/null || exit;", "./thread-self"),
    "of the parent": ("", "@/{parent}"),
    "by a glob": ("cd @ || exit; set -- se*f; cd \"$1\" || exit;", "."),
    "through OLDPWD": ("cd @ || exit; cd /;", "$OLDPWD/self"),
    "by a variable": ("p=sel; q=f;", "@/$p$q"),
    "by braces": ("set -- @/{{self,}};", "$1"),
}  # fmt: skip

# name -> (what the script does first, the path of descriptor {fd})
DESCRIPTORS: dict[str, tuple[str, str]] = {
    "/dev/fd": ("", "/dev/fd/{fd}"),
    "slashes": ("", "//dev//fd//{fd}"),
    "dots": ("", "/dev/./fd/../fd/{fd}"),
    "to and fro": ("", "/dev/../dev/fd/{fd}"),
    "a link to fd": ("", "l-fd/{fd}"),
    "a link to /dev/fd": ("", "l-devfd/{fd}"),
    "a link to it": ("rm -f one; ln -s @/self/fd/{fd} one;", "one"),
    "a link to it in /dev": ("rm -f one; ln -s /dev/fd/{fd} one;", "one"),
    "after cd": ("cd /dev/fd || exit;", "{fd}"),
    "after cd to /dev": ("cd /dev || exit;", "fd/{fd}"),
    "after cd by a link": ("cd l-fd/. || exit;", "./{fd}"),
}

# What is in the directory of a process and tells of it.
FILES = ("environ", "cmdline", "comm", "status", "stat", "maps", "smaps", "task/{tid}/comm", "cwd/plain")
FDS = ("unlinked", "file", "pipe")

# Each fails, or finds nothing; whatever it does, nothing of the secret comes out.
READS: dict[str, str] = {
    "redirection": 'cat < $P', "read": 'read -r x < $P && echo "$x"', "exec": 'exec 7< $P && cat <&7', "both": 'exec 7<> $P && cat <&7',
    "substitution": 'x=$(< $P) && [ -n "$x" ] && echo "$x"', "mapfile": 'mapfile -t a < $P && echo "${{a[@]}}"', "source": 'source $P',
    "bash": 'bash $P', "run": '$P', "while": 'while read -r x; do echo "$x"; done < $P',
    "awk": "awk '{{ print }}' $P", "getline": "awk -v f=$P 'BEGIN {{ while ((s = getline x < f) > 0) print x; exit s < 0 }}'",
    "b2sum": 'b2sum $P', "base64": 'base64 $P', "bc": 'bc $P < /dev/null', "cat": 'cat $P', "cat and stdin": 'echo | cat - $P',
    "cksum": 'cksum $P', "cmp": 'cmp $P plain', "column": 'column $P', "comm": 'comm $P plain', "cp": 'cp $P out && cat out',
    "cut": 'cut -c1-100 $P', "diff": 'diff $P plain', "fold": 'fold $P', "grep": 'grep -a . $P', "grep -f": 'echo | grep -f $P',
    "grep -r": 'grep -ra . $P', "head": 'head -c 300 $P', "join": 'join $P plain', "jq": 'jq -R . $P', "jq --rawfile": 'jq -n --rawfile f $P \'$f\'',
    "jq -f": 'jq -n -f $P', "md5sum": 'md5sum $P', "mv": 'mv $P out && cat out', "nl": 'nl $P', "od": 'od -c $P', "paste": 'paste $P',
    "rev": 'rev $P', "rg": 'rg -a . $P', "rg -f": 'echo | rg -f $P', "sed": 'sed -n p $P', "sed r": "echo | sed 'r '$P | grep .", "sed -f": 'echo | sed -f $P', "sha256sum": 'sha256sum $P',
    "shuf": 'shuf $P', "sort": 'sort $P', "sort -m": 'sort -m $P', "split": 'split $P', "strings": 'strings $P', "sum": 'sum $P', "tac": 'tac $P',
    "tail": 'tail -c 300 $P', "uniq": 'uniq $P', "wc": 'wc -c $P', "xargs -a": 'xargs -a $P echo', "xxd": 'xxd $P',
    "xargs": 'echo $P | xargs cat', "find": 'find -H $P -type f -exec cat {{}} + | grep .', "test -s": 'test -s $P', "[[ -s": '[[ -s $P ]]',
    "in a subshell": '(cat $P)', "in a pipeline": ': | cat $P', "in the background": 'cat $P & wait $!', "env": 'env cat $P', "timeout": 'timeout 5 cat $P',
    "sh": 'sh -c "cat $P"', "hard link": 'ln $P hard && cat hard; s=$?; rm -f hard; (exit $s)',
    "soft link": 'rm -f soft; ln -s $P soft && cat soft; s=$?; rm -f soft; (exit $s)',
}  # fmt: skip

LOOKS: dict[str, str] = {
    "ls": 'ls -la $P', "ls of the directory": 'ls -lR $P/..', "readlink": 'readlink $P', "readlink -f": 'readlink -f $P',
    "realpath": 'realpath $P', "stat": 'stat $P', "stat -c": "stat -c '%N %s' $P", "test -e": 'test -e $P && echo there', "[[ -r": '[[ -r $P ]]',
    "[ -L": '[ -L $P ]', "find -printf": "find $P -printf '%p %l %s\\n'", "glob": 'echo $P*', "glob below": 'echo $P/../*', "pwd -P": 'cd $P; pwd -P',
    "cd": 'cd $P/.. && ls -la', "file test": '[ $P -nt plain ]', "same": '[ $P -ef plain ]', "which": 'PATH=$P/.. which comm', "printf": 'printf %s $P/*',
    "complete path": 'ls -d $P/../[a-z]*', "find below": 'find $P/.. -maxdepth 2 -exec cat {{}} +',
}  # fmt: skip

WRITES: dict[str, str] = {
    ">": 'echo EVIL > $P', ">>": 'echo EVIL >> $P', ">|": 'echo EVIL >| $P', "<>": 'echo EVIL <> $P >&0', "&>": 'echo EVIL &> $P', "&>>": 'echo EVIL &>> $P',
    ">&": 'echo EVIL >& $P', "2>": 'ls nofile 2> $P', "exec": 'exec 7> $P && echo EVIL >&7', "noclobber": 'set -C; echo EVIL > $P', "tee": 'echo EVIL | tee $P',
    "tee -a": 'echo EVIL | tee -a $P', "cp": 'cp plain $P', "mv": 'cp plain p2; mv -f p2 $P', "sed w": "echo EVIL | sed 'w '$P", "sed -i": 'sed -i s/./X/g $P',
    "awk": "awk -v f=$P 'BEGIN {{ print \"EVIL\" > f }}'", "sort -o": 'sort -o $P plain', "truncate": ': > $P', "touch": 'touch -d @0 $P', "chmod": 'chmod 777 $P',
    "rm": 'rm -f $P', "split": 'split plain $P', "ln": 'ln -f plain $P', "ln -s": 'ln -sf plain $P', "mkdir": 'mkdir $P/x', "xxd": 'xxd plain $P',
    "shuf": 'shuf -o $P plain', "uniq": 'uniq plain $P', "find -fprint": 'find plain -fprint $P', "find -delete": 'find $P -delete', "mktemp": 'mktemp -p $P',
}  # fmt: skip

CORE = (
    "redirection",
    "cat",
    "exec",
    "source",
    "cp",
    "grep",
    "jq",
    "soft link",
    "sh",
    "readlink",
    "stat",
    "find -printf",
    ">",
    ">>",
    "touch",
    "tee",
)

MADE_LINKS = {
    "l-self": "/proc/self", "l-pid": "/proc/{pid}", "l-proc": "/proc", "l-chain": "l-proc", "l-thread": "l-proc/thread-self",
    "l-rel": "../../../../../../../../../../proc/self", "d/l-self": "../l-self", "l-fd": "/proc/self/fd", "l-devfd": "/dev/fd",
}  # fmt: skip


def operations() -> dict[str, tuple[str, str]]:
    """Return every operation: name -> (kind, text)."""
    return {
        f"{kind} {name}": (kind, text)
        for kind, table in (("reads", READS), ("looks", LOOKS), ("writes", WRITES))
        for name, text in table.items()
    }


def paths(numbers: dict[str, int]) -> Iterator[tuple[str, str, str]]:
    """Yield (name, what comes first, path) of every spelling of every target."""
    for name, (first, own) in SPELLINGS.items():
        for target in (*FILES, *(f"fd/{{{fd}}}" for fd in FDS)):
            yield f"{name}: {target}", first.format(**numbers), f"{own}/{target}".format(**numbers)
    for name, (first, path) in DESCRIPTORS.items():
        for fd in FDS:
            known = {**numbers, "fd": numbers[fd]}
            yield f"{name}: {fd}", first.format(**known), path.format(**known)


def cells(numbers: dict[str, int], whole: bool) -> Iterator[tuple[str, str, str]]:
    """Yield (name, kind, script): all, or every spelling under ``CORE`` turn about and every operation on some spellings."""
    every = operations()
    core = [f"{kind} {name}" for name in CORE for kind in ("reads", "looks", "writes") if f"{kind} {name}" in every]
    for at, (name, first, path) in enumerate(paths(numbers)):
        chosen = list(every) if whole or at % 29 == 0 else [core[(at * 3 + step) % len(core)] for step in range(3)]
        for operation in chosen:
            kind, text = every[operation]
            yield f"{operation} of {name}", kind, f"{first} P={path}; {text.format()}"

"""Commands beside descriptors that cannot be written or read: what their status must be, says bash with GNU's tools.

``PYTHONPATH=. python tests/hostile/bad_descriptors.py``: let the real programs answer what has no answer yet (bad_descriptors.json);
``--all``: everything anew. ``xq`` is Debian's ``tomlq`` under another name: the same program has both.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from conformance.oracles import search_path

ANSWERS = Path(__file__).with_name("bad_descriptors.json")

# Before each command: 9 is a pipe that nobody reads, 3 is where the status goes.
PRELUDE = "mkfifo p; exec 8<>p 9>p 8>&-; exec 3>&1 1>out 2>err\n"

REDIRECTIONS = {
    "as it is": "",
    "stderr closed": "2>&-", "stderr a text": "2<<<x", "stderr full": "2>/dev/full", "stderr a closed pipe": "2>&9",
    "stdout closed": ">&-", "stdout a text": "1<<<x", "stdout full": ">/dev/full", "stdout a closed pipe": ">&9",
    "both closed": ">&- 2>&-", "both texts": "1<<<x 2<<<x", "both full": ">/dev/full 2>&1", "both a closed pipe": ">&9 2>&9",
    "stdin closed": "<&-", "stdin to write": "0>/dev/null", "all closed": "<&- >&- 2>&-", "stdin and stderr closed": "<&- 2>&-",
}  # fmt: skip

UTILITIES = """
ls . | ls nofile | ls f nofile | ls --nope | ls -l f
cat f | cat nofile | cat f nofile | cat | cat - f | cat --nope | cat -n f
head f | head nofile | head f nofile | head -n x f | head | head --nope
tail f | tail nofile | tail f nofile | tail -n x f | tail
wc f | wc nofile | wc f nofile | wc | wc --nope
sort f | sort nofile | sort -k x f | sort | sort -c u | sort -o nodir/x f
uniq f | uniq nofile | uniq | uniq --nope
cut -c1 f | cut f | cut -c1 nofile | cut -c1 f nofile | cut -c1
tr a b | tr | tr a b c | tr -d a
grep a f | grep x f | grep a nofile | grep a f nofile | grep x f nofile | grep | grep '[' f | grep -s a nofile | grep -q a f nofile | grep a
sed p f | sed p nofile | sed p f nofile | sed | sed 'k' f | sed p | sed -n 'w /dev/stdout' f | sed -i s/a/b/ nofile
awk '{print}' f | awk '{print}' nofile | awk '{print}' f nofile | awk | awk '{' f | awk 'BEGIN{print 1 > "/dev/stderr"}' | awk 'BEGIN{exit 3}' | awk 'BEGIN{print 1; exit 3}' | awk '{print}' | awk 'BEGIN{printf "%s"}'
egrep a f | egrep x f nofile | egrep '(' f | fgrep a f | fgrep a nofile | fgrep
rg a f | rg x f | rg a nofile | rg a f nofile | rg x f nofile | rg | rg '[' f | rg --nope a f | rg -q a f | rg -q a f nofile | rg -c a f nofile | rg -l a f | rg a | rg a - | rg --files | rg --files d | rg -f nofile f | rg --json a f | rg --json x f | rg --type-list | rg -t nope a f | rg -g '[' a f | rg --stats x f | rg --debug a f | rg --pre nocommand a f | rg -vn a f | rg --no-messages a nofile | rg --ignore-file nofile a f
gawk '{print}' f nofile | gawk '{print}' nofile | gawk '{' f | gawk 'BEGIN{exit 3}' | nawk '{print}' f | nawk '{print}' nofile | mawk '{print}' f | mawk 'BEGIN{exit 3}'
yq . y | yq . nofile | yq . y nofile | yq | yq '{' y | yq -y . y | yq -Y .x y | yq . ybad | yq . y ybad | yq -e .nope y | yq 'error("x")' y | yq 'debug' y | yq . | yq -y . | yq --nope . y | yq -i . nofile | yq -iy . y | yq 'halt_error' y | yq -t . t | yq -n -y 1
tomlq . t | tomlq . nofile | tomlq -t . t | tomlq . bad | tomlq '{' t | tomlq -e .nope t
xq . m | xq . nofile | xq -x . m | xq . bad | xq '{' m | xq -e .nope m
jq . j | jq . nofile | jq . j nofile | jq | jq '{' j | jq '.a.b' bad | jq -e .x j | jq 'error("x")' j | jq 'debug' j | jq . bad | jq . | jq 'halt_error' j | jq 'stderr' j | jq --nope . j
find . | find nofile | find . nofile | find . -nope | find . -name f -exec cat nofile {} \\; | find . -print0
xargs echo < f | xargs cat < nofiles | xargs nocommand < f | xargs --nope < f | xargs false < f | xargs
diff f g | diff f nofile | diff f f | diff f | diff --nope f g
cmp f g | cmp f nofile | cmp f f | cmp f | cmp -s f nofile
comm f g | comm f nofile | comm f | comm u f
join f g | join f nofile | join f
paste f g | paste f nofile | paste -d '\\\\' f
cp f x | cp nofile x | cp f nofile x | cp f | cp -v f x | cp f f | cp -r . nodir/x
mv nofile x | mv g x | mv -v g x | mv g g | mv f
rm nofile | rm -f nofile | rm f nofile | rm -v f | rm d | rm
mkdir d | mkdir -v x | mkdir nodir/x | mkdir -p x
rmdir nofile | rmdir d | rmdir -v d
ln -s f x | ln f nodir/x | ln nofile x | ln -v f x
touch x | touch nodir/x | touch f nodir/x | touch -d nope f
chmod 600 f | chmod 600 nofile | chmod -v 600 f | chmod nope f
basename a/b | basename | basename --nope
dirname a/b | dirname
date +%Y | date -d nope | date --nope
echo a | printf x | printf '%d' z | printf | env | env nocommand | env false | env --nope | printenv PATH | printenv NOPE
seq 3 | seq | seq x | seq 100000
sleep 0 | sleep x | sleep
expr 1 + 1 | expr 0 | expr 1 + | expr a + 1
tee x | tee nodir/x | tee x nodir/x
od f | od nofile | od f nofile
base64 f | base64 nofile | base64 -d f
md5sum f | md5sum nofile | md5sum f nofile | md5sum -c f | md5sum -c sums | sha1sum f | sha224sum nofile | sha256sum f nofile | sha384sum -c f | sha512sum f nofile | cksum f nofile | sum f nofile | b2sum nofile | shasum f nofile
nl f | nl nofile | fold f | fold nofile | tac f | tac nofile | rev f | rev nofile | column f | column nofile | shuf f | shuf nofile
split f | split nofile | split -l x f
stat f | stat nofile | stat f nofile | readlink f | readlink l | readlink nofile | realpath f | realpath nodir/x | realpath f nodir/x
strings f | strings nofile | xxd f | xxd nofile | bc nofile | mktemp -d ./XXXXXX | mktemp nope | mkfifo q | mkfifo f
nproc | hostname | id | id nouser | whoami | uname | uname --nope | pwd | true | false | /bin/true | /bin/false | test -e f | nice true | nice nocommand | nohup true | nohup nocommand | setsid true | setsid -w false
timeout 5 true | timeout 5 false | timeout 5 nocommand | timeout x true | timeout 5 ls nofile | timeout 5 echo a
tty | clear | yes \\| head -n 1 | yes --nope | uuidgen | which ls | which nope | getopt a -- -a | getopt a -- -b | envsubst | envsubst --nope
"""

BUILTINS = """
: | : a | bg | bg %9 | fg | disown | disown %9 | continue | dash -c 'ls nofile' | dash -c 'echo a' | readarray a < f | readarray -u 7 a | typeset -p nope | typeset 1x=2
echo a | printf x | printf '%d' z | pwd | cd nodir | cd . | cd - | type cat | type nope | command -v cat | command -v nope | command -V nope | command ls nofile
export 1x | export -p | readonly 1x | declare -p PATH | declare -p nope | declare 1x=2 | unset 1x | set -o | set -o nope | shopt | shopt nope | alias | alias nope | unalias nope
read x | read x < f | mapfile a < f | read -u 7 x | source nofile | . nofile | eval 'echo a' | eval 'cat nofile' | let 1/0 | let x=1 | hash nope | hash | jobs | wait 99999 | kill -0 99999999 | kill -l | trap -p | trap nope NOPE
umask | umask 9z | ulimit -n | times | getopts | shift 9 | local x | return 3 | break | exec nocommand-at-all; echo no | nocommand | ./nofile | ./d | test 1 -eq x | [ 1 -eq x ] | [[ 1 -eq 1+ ]] | dirs | pushd nodir | popd | caller | enable nope | builtin nope | builtin echo a
(ls nofile) | { ls nofile; } | x=$(ls nofile) | ! ls nofile | ls nofile || ls . | ls nofile && ls . | if ls nofile; then :; fi | while ls nofile; do :; done | f() { ls nofile; }; f | ls nofile \\| cat | cat f \\| grep a | for i in 1; do ls nofile; done | case x in x) ls nofile;; esac | time true | echo ${x?unset} | echo $((1/0)) | echo a > nodir/x | cat < nofile | set -x; true | set -v; true | x=1 y=2 env | bash -c 'ls nofile' | bash -c 'echo a' | bash nofile | sh -c 'exit 3'
"""


def commands() -> list[str]:
    """Return every command of the tables, once."""
    found = [
        command.strip().replace("\0", "|")
        for line in (UTILITIES + BUILTINS).replace("\\|", "\0").replace("||", "\0\0").splitlines()
        for command in line.split("|")
    ]
    return list(dict.fromkeys(command.replace("\\\\", "\\") for command in found if command))


_OPENS = re.compile(r"&&|[|;(){}!]|\b(?:if|then|while|do)\b")


def names() -> set[str]:
    """Return the names of what the commands run: the first word of each part of a pipeline or a list."""
    parts = (part.split() for command in commands() for part in _OPENS.split(command))
    return {words[0] for words in parts if words}


def furnish(root: Path) -> None:
    """Make the files that the commands name."""
    for name, text in {
        "f": "a b\nc d\n",
        "g": "a e\nc f\n",
        "u": "z\na\n",
        "j": '{"a": {"b": 1}}\n',
        "bad": '{"a"',
        "nofiles": "nofile\n",
        "y": "x: [1, a b]\n",
        "ybad": "x: [1\n",
        "t": "x = 1\n",
        "m": "<x>1</x>\n",
    }.items():
        (root / name).write_text(text)
    (root / "sums").write_text("d41d8cd98f00b204e9800998ecf8427e  f\n")
    (root / "d").mkdir()
    (root / "l").symlink_to("f")


def script(command: str, redirection: str) -> str:
    """Return the text that writes the status to its own stdout."""
    return f"{PRELUDE}{{ {command}\n}} {REDIRECTIONS[redirection]}; echo $? >&3\n"


PATH = search_path("/usr/local/bin:/usr/bin:/bin")


def real(command: str, redirection: str) -> str:
    """Let bash answer."""
    with tempfile.TemporaryDirectory() as directory:
        furnish(Path(directory))
        try:
            done = subprocess.run(
                ["bash", "-c", script(command, redirection)],
                cwd=directory, env={"PATH": PATH, "HOME": "/"}, input=b"in a\n", capture_output=True, timeout=10, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "hangs"
    return done.stdout.decode().strip() or f"exit {done.returncode}"


def main() -> None:
    from concurrent.futures import ThreadPoolExecutor

    known = {} if "--all" in sys.argv else json.loads(ANSWERS.read_text())
    with ThreadPoolExecutor(4) as pool:
        answers = {
            command: known.get(command) or list(pool.map(real, [command] * len(REDIRECTIONS), REDIRECTIONS))
            for command in commands()
        }
    lines = [f"{json.dumps(command)}: {json.dumps(answer)}" for command, answer in answers.items()]
    ANSWERS.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(len(answers) * len(REDIRECTIONS), file=sys.stderr)


if __name__ == "__main__":
    os.umask(0o022)
    main()

"""In a directory without a record, hooks count only if hashes cover all that they run (docs/trust.md, Clones)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from trusting import CALL, GUARD, SETTINGS, House, groups

NO = "echo no >&2; exit 2"
#: Files that every project here has; hooks name some of them.
FILES = {
    "guard.sh": GUARD,
    "hooks/env.sh": ". ./hooks/lib.sh\n",
    "hooks/own.sh": "check() { exit 2; }\n",
    "hooks/lib.sh": "check() { exit 2; }\n",
    "hooks/guard.py": "import rules\n",
    "hooks/python.sh": "#!/usr/bin/env python3\nimport rules\n",
    "hooks/bash.sh": f"#!/usr/bin/env bash\nset -euo pipefail\n{NO}\n",
    "hooks/make.sh": "make -s guard\n",
    "hooks/again.sh": "if false; then ./hooks/again.sh; fi\nexit 2\n",
    "hooks/near.sh": '. "$(dirname "$0")/lib.sh"\n',
    "hooks/rule.awk": "END { exit 2 }\n",
    "hooks/system.awk": 'END { system("make") }\n',
    "hooks/rule.jq": ".tool_name\n",
    "hooks/import.jq": 'import "rules" as r; r::check\n',
    "answer.json": "{}\n",
    "Makefile": "guard:\n\texit 2\n",
}

#: Hooks of which hashes cover all that they run: they count in a clone.
COVERED = [
    NO,
    "./guard.sh",
    '"$CLAUDE_PROJECT_DIR"/guard.sh',
    "sh guard.sh",
    "env A=1 timeout 5 bash -euo pipefail ./guard.sh",
    "cd hooks && ./bash.sh",
    "./hooks/bash.sh",
    "bash < guard.sh",
    ". ./hooks/own.sh; check",
    "check() { exit 2; }; check",
    "./hooks/again.sh",
    """c=$(jq -r '.tool_input.command // ""'); case $c in *rm*) exit 2 ;; esac""",
    """jq -n --arg r "$PWD" '{decision: "block", reason: $r}'; exit 2""",
    "grep -qE 'rm -rf' && exit 2",
    "sed -n 's/rm/x/p; /e/d' >&2; exit 2",
    "cat | awk -v x=\"$PWD\" 'END { exit 2 }'",
    "awk -f hooks/rule.awk",
    "jq -rf hooks/rule.jq; exit 2",
    "command -v python3 make > /dev/null; exit 2",
    "ls | xargs -n1 echo >&2; find . -name '*.sh' -exec wc -l {} + >&2; exit 2",
    "[ -f answer.json ] && exit 2",
    "strings -e s >&2; exit 2",
    'echo "$PATH $HOME" >&2; exit 2',
    'x=$(jq -r .cwd); head -n "$x" >&2; cut -d "$x" -f 1 >&2; exit 2',
    'x=$(cat); grep -qE "$x" <<< "$x"; exit 2',
    'while read -r x; do exit 2; done < <(echo "$PWD")',
    'cat <<< "$PWD" | sed -n "$PWD" | cat - >&2; exit 2',
    'basename "$PWD" >&2; ls *.json >&2; wc -l "$PWD"/* >&2; exit 2',
]

#: Hooks that run, read or may run what no hash covers, and the command that the notice names.
OPEN = [
    ("make -s guard", "make"),
    ("/usr/bin/make -s guard", "/usr/bin/make"),
    ("npm run guard", "npm"),
    ("git diff --quiet", "git"),
    ("python3 -m guard", "python3"),
    ("python3 -c 'import guard'", "python3"),
    ("python3 hooks/guard.py", "python3"),
    ("node ./hooks/guard.py", "node"),
    ("uv run ./guard.sh", "uv"),
    ("./hooks/python.sh", "./hooks/python.sh"),
    ("zsh ./guard.sh", "zsh"),
    (". ./hooks/env.sh; check", "./hooks/lib.sh"),
    ("sh hooks/near.sh", "."),
    ("./hooks/make.sh", "make"),
    ("sh -c 'cd hooks && sh make.sh'", "make"),
    ("true && (true; make) | cat", "make"),
    ("x=$(make)", "make"),
    ("cat <(make)", "cat"),
    ("make() { command make \"$@\"; }; make guard", "make"),
    ("sh ./hooks/own.sh; check", "check"),
    ("f() { make; }; f", "make"),
    ("trap make EXIT", "make"),
    ("eval 'make'", "make"),
    ("eval \"$x\"", "eval"),
    ('"$x"', '"$x"'),
    ("timeout 5 nice make", "make"),
    ("ls | xargs make", "make"),
    ("ls | xargs env", "xargs env"),
    ("ls | xargs -n1 sh", "xargs sh"),
    ("find . -exec sh {} ;", "sh"),
    ("find . -exec make ;", "make"),
    ("alias guard=make; guard", "alias"),
    ("enable -f ./x.so x", "enable"),
    ("mapfile -C make -c 1 x", "mapfile"),
    ("PATH=./bin:$PATH jq .", "PATH"),
    ("export PATH; read PATH", "PATH"),
    ("BASH_ENV=./x bash -c true", "BASH_ENV"),
    ("bash --rcfile guard.sh -i", "bash"),
    ("cd \"$x\" && ./guard.sh", "./guard.sh"),
    ("awk 'BEGIN { system(\"make\") }'", "awk"),
    ("awk 'BEGIN { \"make\" | getline }'", "awk"),
    ("awk -v x=1 \"$x\"", "awk"),
    ("gawk -i hooks/rule.awk 1", "gawk"),
    ("awk -f hooks/system.awk", "awk"),
    ("sed 1e", "sed"),
    ("sed 's/^/make/e'", "sed"),
    ("jq -L . -n 1", "jq"),
    ("jq 'include \"x\"; y'", "jq"),
    ("jq \"$x\"", "jq"),
    ("jq -f hooks/import.jq", "jq"),
    ("sort --compress-program=./x", "sort"),
    ("rg --pre ./x y", "rg"),
    ("cat answer.json", "answer.json"),
    ("cat < answer.json", "answer.json"),
    ("od -w answer*.json", "od"),  # the width of -w is optional: the next word is a file
    ('echo "$(< answer.json)"', "answer.json"),
    ("cat answer*.json", "cat"),
    ("cat {answer,x}.json", "cat"),
    ('cat "$(dirname "$0")/answer.json"', "cat"),
    ('cat -n "$x"', "cat"),
    ("for f in *.json; do cat \"$f\"; done", "cat"),
    ('head -n 1 -- "$x"', "head"),
    ("cd \"$x\" && cat answer.json", "cat"),
    ("cd hooks && read -r x < ../answer.json; echo \"$x\"", "../answer.json"),
    ('read -r x < "$(pwd)/answer.json"; echo "$x"', '"$(pwd)/answer.json"'),
    ('exec 3<> "$x"; cat <&3', '"$x"'),
    ("find . -name 'a*' -exec cat {} +", "cat"),
    ("ls | xargs cat", "xargs cat"),
    ("ls | xargs -n1 grep -h .", "xargs grep"),
    ("grep -h . answer*.json", "grep"),
    ("grep -e . -h \"$x\"", "grep"),
    ("grep -rh deny .", "grep"),
    ("grep -qR deny", "grep"),
    ("jq . *.json", "jq"),
    ("jq -n --slurpfile a \"$x\" '$a[0]'", "jq"),
    ("jq -n input \"$x\"", "jq"),
    ("awk 1 *.json", "awk"),
    ("awk 'BEGIN { while ((getline l < \"answer.json\") > 0) print l }'", "awk"),
    ("sed '' *.json", "sed"),
    ("sed -n -e p \"$x\"", "sed"),
    ("sed '1r answer.json'", "sed"),
    ("sed '/x/ R answer.json'", "sed"),
    ("sort --files0-from=answer.json", "sort"),
    ("wc --files0-from=answer.json", "wc"),
    ("date --file=answer.json", "answer.json"),
    ("if (", "if ("),
]  # fmt: skip


def project(root: Path, name: str, command: str) -> House:
    house = House(root, name)
    for path, text in FILES.items():
        house.write(path, text)
    house.write(SETTINGS, groups(PreToolUse=command))
    return house


@pytest.mark.not_on_windows("needs-program")
@pytest.mark.parametrize("command", COVERED)
def test_a_hook_of_known_contents_alone_counts_in_a_clone(tmp_path: Path, command: str) -> None:
    project(tmp_path, "known", command).trust()
    clone = project(tmp_path, "clone", command)
    assert clone.fire().blocked and clone.engine().untrusted == ()
    assert clone.survey().trusted


@pytest.mark.parametrize(("command", "named"), OPEN)
def test_a_hook_that_may_run_more_is_left_out_in_a_clone_and_reported(tmp_path: Path, command: str, named: str) -> None:
    project(tmp_path, "known", command).trust()
    clone = project(tmp_path, "clone", command)
    verdict = clone.fire()
    assert verdict.proceeds and not verdict.hooks
    why = f"this file is not trusted in this directory: no hash covers all that `{named}` may run"
    assert any(why in notice for notice in verdict.notices)
    assert clone.fire(strict=True).blocked
    survey = clone.survey()
    assert not survey.trusted and survey.items[SETTINGS].state == "new" and survey.items[SETTINGS].message in why
    survey.keep()
    assert clone.engine().untrusted == () and clone.survey().trusted


def test_commands_that_no_hash_covers_count_where_they_were_trusted(tmp_path: Path) -> None:
    """Also after a change: trust in a directory is trust in its ``Makefile``, its modules, and what they become."""
    house = project(tmp_path, "known", ". ./hooks/env.sh; check").trust()
    assert house.fire().blocked
    house.write("hooks/lib.sh", "check() { exit 2; }; true\n")
    assert house.fire().blocked and house.engine().untrusted == ()


@pytest.mark.parametrize("name", ["BASH_ENV", "LD_PRELOAD", "HOME"])
@pytest.mark.parametrize("value", ["./lib", "{clone}/lib", "{clone}"])
def test_a_variable_of_the_config_that_leads_to_code(tmp_path: Path, name: str, value: str) -> None:
    """Claude Code's ``env`` is for all of its hooks (claude_code 2)."""
    text = json.loads(groups(PreToolUse=NO))
    text["env"] = {name: value.format(clone=tmp_path / "clone")}
    for directory in ("known", "clone"):
        house = project(tmp_path, directory, NO)
        house.write(SETTINGS, json.dumps(text))
        if directory == "known":
            house.trust()
    verdict = house.fire()
    assert verdict.proceeds and any(f"no hash covers all that `{name}` may run" in one for one in verdict.notices)


def test_a_known_content_that_appears_later_is_looked_at_too(tmp_path: Path) -> None:
    """Another branch's script was trusted under the same name, and runs ``make``."""
    known = project(tmp_path, "known", "sh guard.sh").trust()
    known.write("guard.sh", "make\n")
    known.trust()
    clone = project(tmp_path, "clone", "sh guard.sh")
    with clone.engine() as engine:
        assert engine.fire("PreToolUse", CALL).reason == "no"
        clone.write("guard.sh", "make\n")
        assert "no hash covers all that `make` may run" in engine.fire("PreToolUse", CALL).reason

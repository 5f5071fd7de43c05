"""``json-pasted``: a deny that is lost for a command with a quote in it, and only such a one, is advised against."""

from __future__ import annotations

from pathlib import Path

import pytest
from alarms import reported

from pyshellhooks import HookEngine

C = "C=$(jq -r .tool_input.command)"
IN = "IN=$(cat)"
PASTED = {
    "echo": f'{C}; echo "{{\\"decision\\":\\"block\\",\\"reason\\":\\"$C\\"}}"',
    "echo-words": f"""{C}; echo '{{"decision":"block","reason":"no '"$C"'"}}'""",
    "printf": f"""{C}; printf '{{"decision":"block","reason":"%s"}}' "$C" """,
    "printf-around": f"""{C}; printf '{{"decision":"block","reason":"%s"}}\\n' "not: $C" """,
    "printf-s": f'{C}; printf "%s\\n" "{{\\"decision\\":\\"block\\",\\"reason\\":\\"$C\\"}}"',
    "printf-form": f'{C}; printf "{{\\"decision\\":\\"block\\",\\"reason\\":\\"$C\\"}}"',
    "here": f'{C}\ncat <<EOF\n{{"decision":"block","reason":"no $C"}}\nEOF',
    "here-tabs": f'{C}\ncat <<-EOF\n\t{{"decision":"block","reason":"no $C"}}\n\tEOF',
    "here-lines": f'{C}\ncat <<EOF\n{{\n  "decision": "block",\n  "reason": "no $C"\n}}\nEOF',
    "here-braces": f'{C}\ncat <<EOF\n{{"decision":"block","reason":"no ${{C}}"}}\nEOF',
    "here-substitution": f'{C}\ncat <<EOF\n{{"decision":"block","reason":"no $(echo "$C" | head -1)"}}\nEOF',
    "here-string": f'{C}; cat <<< "{{\\"decision\\":\\"block\\",\\"reason\\":\\"$C\\"}}"',
    "here-exit": f'{C}\nif [ -n "$C" ]; then\ncat <<EOF\n{{"decision":"block","reason":"no $C"}}\nEOF\nexit 0\nfi',
    "substitution-head": f"""{C}; R=$(echo "$C" | head -1); printf '{{"decision":"block","reason":"no %s"}}' "$R" """,
    "substitution-string": f"""{C}; R=$(head -1 <<< "$C"); printf '{{"decision":"block","reason":"no %s"}}' "$R" """,
    "substitution-cut": f"""{C}; R=$(printf %s "$C" | cut -c1-80); printf '{{"decision":"block","reason":"%s"}}' "$R" """,
    "substitution-tr": f"""{C}; R=$(echo "$C" | tr '\\n' ' '); printf '{{"decision":"block","reason":"%s"}}' "$R" """,
    "substitution-sed": f"""{C}; R=$(sed 's/  */ /g' <<< "$C"); printf '{{"decision":"block","reason":"%s"}}' "$R" """,
    "substitution-twice": f"""{C}; A=$(echo "$C"); B="$A"; printf '{{"decision":"block","reason":"%s"}}' "$B" """,
    "substitution-there": f'{C}; echo "{{\\"decision\\":\\"block\\",\\"reason\\":\\"$(echo "$C" | head -1)\\"}}"',
    "backquotes": f"""{C}; R=`echo "$C" | head -1`; printf '{{"decision":"block","reason":"no %s"}}' "$R" """,
    "slice": f"""{C}; printf '{{"decision":"block","reason":"%s"}}' "${{C:0:80}}" """,
    "default": f"""{C}; printf '{{"decision":"block","reason":"%s"}}' "${{C:-none}}" """,
    "first": f"""C=; {C}; printf '{{"decision":"block","reason":"%s"}}' "$C" """,
    "added": f"""{C}; C="no $C"; printf '{{"decision":"block","reason":"%s"}}' "$C" """,
    "held": f"""{IN}; C=$(echo "$IN" | jq -r .tool_input.command); echo "{{\\"decision\\":\\"block\\",\\"reason\\":\\"$C\\"}}" """,
    "output": f'{C}; OUT="{{\\"decision\\":\\"block\\",\\"reason\\":\\"$C\\"}}"; echo "$OUT"',
    "function": f"""{C}; deny() {{ printf '{{"decision":"block","reason":"%s"}}' "$1"; exit 0; }}; deny "no $C" """,
    "function-echo": f'{C}; deny() {{ echo "{{\\"decision\\":\\"block\\",\\"reason\\":\\"$*\\"}}"; }}; deny no "$C"',
    "function-global": f'{C}; deny() {{ printf \'{{"decision":"block","reason":"%s"}}\' "$C"; }}; deny',
    "function-local": f"""deny() {{ local r="$1"; printf '{{"decision":"block","reason":"%s"}}' "$r"; }}; {C}; deny "$C" """,
    "function-here": f'deny() {{\ncat <<EOF\n{{"decision":"block","reason":"$1"}}\nEOF\n}}\n{C}; deny "$C"',
    "function-in-function": f"""say() {{ printf '{{"decision":"block","reason":"%s"}}' "$2"; }}
deny() {{ say x "$1"; }}; {C}; deny "$C" """,
    "function-keyword": f"""function deny {{ printf '{{"decision":"block","reason":"%s"}}' "$1"; }}; {C}; deny "$C" """,
    "function-value": """get() { jq -r .tool_input.command; }; C=$(get); printf '{"decision":"block","reason":"%s"}' "$C" """,
    "function-filter": f"""{IN}; get() {{ echo "$IN" | jq -r "$1"; }}
C=$(get .tool_input.command); printf '{{"decision":"block","reason":"%s"}}' "$C" """,
    "function-short": f"""short() {{ echo "$1" | head -1; }}; {C}; R=$(short "$C")
printf '{{"decision":"block","reason":"%s"}}' "$R" """,
}
SOUND = {
    "jq": f"""{C}; jq -n --arg c "$C" '{{decision: "block", reason: $c}}'""",
    "jq-text": f"""{C}; R=$(printf '%s' "$C" | jq -Rs .); echo "{{\\"decision\\":\\"block\\",\\"reason\\":$R}}" """,
    "jq-tojson": """C=$(jq -r '.tool_input.command | tojson'); echo "{\\"decision\\":\\"block\\",\\"reason\\":$C}" """,
    "jq-not-raw": """C=$(jq .tool_input.command); echo "{\\"decision\\":\\"block\\",\\"reason\\":$C}" """,
    "replaced": f"""{C}; printf '{{"decision":"block","reason":"%s"}}' "${{C//\\"/\\\\\\"}}" """,
    "replaced-again": f"""{C}; C=${{C//\\"/\\'}}; printf '{{"decision":"block","reason":"%s"}}' "$C" """,
    "sed": f"""{C}; R=$(echo "$C" | sed 's/"/\\\\"/g'); printf '{{"decision":"block","reason":"%s"}}' "$R" """,
    "sed-in-place": f"""{C}; C=$(echo "$C" | sed 's/"/\\\\"/g'); printf '{{"decision":"block","reason":"%s"}}' "$C" """,
    "tr-delete": f"""{C}; R=$(echo "$C" | tr -d '"'); printf '{{"decision":"block","reason":"%s"}}' "$R" """,
    "tr-keep": f"""{C}; R=$(echo "$C" | tr -cd '[:alnum:] '); printf '{{"decision":"block","reason":"%s"}}' "$R" """,
    "grep": f"""{C}; R=$(echo "$C" | grep -o '^[a-z]*'); printf '{{"decision":"block","reason":"%s"}}' "$R" """,
    "count": f"""{C}; R=$(echo "$C" | wc -l); printf '{{"decision":"block","reason":"%s"}}' "$R" """,
    "word": f"""{C}; printf '{{"decision":"block","reason":"%s"}}' "${{C%% *}}" """,
    "length": f"""{C}; printf '{{"decision":"block","reason":"%s"}}' "${{#C}}" """,
    "quoted-here": f"""{C}\ncat <<'EOF'\n{{"decision":"block","reason":"no $C"}}\nEOF""",
    "static": f"""{C}; [ -n "$C" ] && echo '{{"decision":"block","reason":"no"}}'""",
    "function-static": f"""deny() {{ printf '{{"decision":"block","reason":"%s"}}' "$1"; }}; {C}; [ -n "$C" ] && deny "no" """,
    "function-other-word": f"""deny() {{ printf '{{"decision":"block","reason":"%s"}}' "$1"; }}; {C}; deny no "$C" """,
    "function-escapes": f"""esc() {{ printf '%s' "$1" | jq -Rs .; }}; {C}; R=$(esc "$C")
echo "{{\\"decision\\":\\"block\\",\\"reason\\":$R}}" """,
    "log": f"""{C}; echo "{{\\"c\\":\\"$C\\"}}" >> log; echo '{{"decision":"block","reason":"no"}}'""",
    "here-log": f"""{C}\ncat >> log <<EOF\n{{"c":"$C"}}\nEOF\necho '{{"decision":"block","reason":"no"}}'""",
    "swapped": f"""say() {{ printf '{{"decision":"block","reason":"%s"}}' "$1"; }}; deny() {{ say "$2" "$1"; }}; {C}; deny "$C" no""",
}


def advised(script: str, where: Path) -> bool:
    return any("is inserted into JSON without escaping" in one for one in reported(where, script))


def denied(script: str, where: Path) -> bool:
    """Return whether a call whose command holds a quote is denied."""
    hook = {"type": "command", "command": script}
    config = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}}
    with HookEngine.load(config, "claude_code", cwd=str(where)) as engine:
        verdict = engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": 'rm "a b"'})
    return verdict.decision.value == "deny"


@pytest.mark.parametrize("script", PASTED.values(), ids=PASTED)
def test_a_deny_that_a_quote_spoils_is_advised_against(script: str, tmp_path: Path) -> None:
    assert (denied(script, tmp_path), advised(script, tmp_path)) == (False, True)


@pytest.mark.parametrize("script", SOUND.values(), ids=SOUND)
def test_a_deny_that_counts_gets_no_advice(script: str, tmp_path: Path) -> None:
    assert (denied(script, tmp_path), advised(script, tmp_path)) == (True, False)

"""Mistakes that ``check`` finds: what each looks like, its place, and its fix."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pyshellhooks.engine.checks.checker import Checked, check_file

CONFIGS = {
    "claude_code": ".claude/settings.json",
    "gemini": ".gemini/settings.json",
    "crush": "crush.json",
    "docker_agent": "agent.yaml",
    "everruns": ".agents/hooks.json",
    "firebender": ".firebender/hooks.json",
    "cursor": ".cursor/hooks.json",
    "codex": ".codex/hooks.json",
}


class Row(NamedTuple):
    """One mistake. ``at``: the file, and the text that the place points at. ``fix``: a file, its text, and the text in its place.

    A ``fix`` without text to replace is the mode that the file should have, or all of its text.
    """

    code: str
    system: str
    files: Mapping[str, str | bytes]
    at: tuple[str, str]
    fix: tuple[str, str, str | int]
    severity: str = "warning"
    tools: Mapping[str, str] = {}
    modes: Mapping[str, int] = {}

    def __str__(self) -> str:
        return f"{self.code}-{self.system}"


def write(root: Path, files: Mapping[str, str | bytes], modes: Mapping[str, int] | None = None) -> None:
    """Put files into a project; scripts can be run."""
    (root / ".git").mkdir(exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        path.chmod((modes or {}).get(name, 0o755))


def look(root: Path, row: Row) -> Checked:
    """Check a row's config, with a PATH where nothing is."""
    given = {"PATH": str(root / "nothing"), "HOME": str(root / "home")}
    return check_file(str(root / next(iter(row.files))), tools=row.tools, env=given)


def apply_fix(root: Path, row: Row) -> None:
    """Apply the row's fix."""
    name, old, new = row.fix
    path = root / name
    if isinstance(new, int):
        path.chmod(new)
    elif old:
        text = path.read_bytes().decode()
        assert old in text
        path.write_bytes(text.replace(old, new).encode())
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(new)
        path.chmod(0o755)


def groups(**more: Any) -> Callable[..., str]:
    """Write configs in groups, as Claude Code and Gemini CLI have them."""
    usual = {"event": "PreToolUse", **more}

    def made(command: str, matcher: str | None = None, event: str = usual["event"], **entry: Any) -> str:
        group = {"hooks": [{"type": "command", "command": command, **entry}]}
        whole = group if matcher is None else {"matcher": matcher, **group}
        return json.dumps({"hooks": {event: [whole]}})

    return made


def flat(event: str, **top: Any) -> Callable[..., str]:
    """Write configs whose entries stand under the event."""

    def made(command: str, matcher: str | None = None, event: str = event, **entry: Any) -> str:
        whole = {"command": command, **entry} if matcher is None else {"matcher": matcher, "command": command, **entry}
        return json.dumps({**top, "hooks": {event: [whole]}})

    return made


claude, gemini = groups(), groups(event="BeforeTool")
crush, cursor, firebender = (
    flat("PreToolUse"),
    flat("beforeShellExecution", version=1),
    flat("beforeShellExecution", version=1),
)


def docker(command: str, matcher: str | None = None) -> str:
    """Write a config of Docker Agent."""
    group = {"matcher": matcher or "*", "hooks": [{"type": "command", "command": command}]}
    return json.dumps({"agents": {"root": {"hooks": {"pre_tool_use": [group]}}}})


def everruns(command: str, **more: Any) -> str:
    """Write a config of Everruns."""
    hook = {"event": "pre_tool_use", "executor": {"type": "bash", "command": command}, **more}
    config = {"ref": "user_hooks", "config": {"hooks": [hook]}}
    return json.dumps({"capabilities": [config]})


OF: dict[str, Callable[..., str]] = {
    "claude_code": claude,
    "gemini": gemini,
    "crush": crush,
    "docker_agent": docker,
    "everruns": everruns,
    "firebender": firebender,
    "cursor": cursor,
    "codex": claude,
}


def config(
    code: str, system: str, text: str, at: str, old: str, new: str, severity: str = "warning", **more: Any
) -> Row:
    """Make a row whose mistake and fix are in the config alone."""
    name = CONFIGS[system]
    return Row(code, system, {name: text}, (name, at), (name, old, new), severity, **more)


def script(
    code: str, text: str, at: str, old: str, new: str, system: str = "claude_code", severity: str = "warning"
) -> Row:
    """Make a row whose mistake and fix are in a script that the config names."""
    files = {CONFIGS[system]: OF[system]("./hooks/x.sh"), "hooks/x.sh": text}
    return Row(code, system, files, ("hooks/x.sh", at), ("hooks/x.sh", old, new), severity)


GUARD = (
    '#!/bin/bash\ncmd=$(jq -r .tool_input.command)\nif grep -q "rm -rf" <<<"$cmd"; then\n  echo no >&2\n  exit {}\nfi\n'
)
HERE = "cat <<EOF\nhello\n"

IN_CONFIGS = [
    Row("config-unreadable", "crush", {"crush.json": crush("true").encode("utf-16")}, ("crush.json", ""), ("crush.json", "", crush("true")), "error"),
    Row("config-unknown", "crush", {"x.json": "{}"}, ("x.json", ""), ("x.json", "", claude("true", "Bash")), "error"),
    config("config-syntax", "crush", '{"hooks": {"PreToolUse": [{"command": "true"]}}', "]", '"]', '"}]', "error"),
    config("config-invalid", "claude_code", claude("true", shell="fish"), '"fish"', "fish", "bash", "error"),
    config("config-refused", "claude_code", '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"},]}]}}', ",]", ",]", "]", "error"),
    config("config-refused", "claude_code", '{"hooks": {"Stop": [], "Stop": []}}', '"Stop"', '"Stop": [], ', "", "error"),
    config("config-refused", "claude_code", '{"permissions": {"deny": ["bash(rm *)"]}}', '"bash', "bash", "Bash", "error"),
    config("config-refused", "claude_code", '{"permissions": {"deny": ["Write(src/**)"]}}', '"Write', "Write", "Edit", "error"),
    config("config-refused", "claude_code", '{"permissions": {"deny": "Bash(rm *)"}}', '"Bash(rm *)"', '"Bash(rm *)"', '["Bash(rm *)"]', "error"),
    config("config-refused", "claude_code", '{"permissions": {"defaultMode": "yolo"}}', '"yolo"', "yolo", "plan", "error"),
    config("config-refused", "claude_code", '{"permissions": {}, "deny": ["Bash(rm *)"]}', '"deny"', '{}, "deny": ["Bash(rm *)"]', '{"deny": ["Bash(rm *)"]}', "error"),
    config("unknown-key", "claude_code", '{"permissions": {"denied": ["Bash(rm *)"]}}', '"denied"', "denied", "deny", "error"),
    config("matcher-unknown", "claude_code", '{"permissions": {"deny": ["Bsh(rm *)"]}}', '"Bsh', "Bsh", "Bash", "error"),
    config("wrong-type", "crush", crush("true", timeout="5"), '"5"', '"5"', "5", "error"),
    config("wrong-nesting", "claude_code", '{"hooks": {"Stop": [{"type": "command", "command": "true"}]}}', '{"type"', '{"type": "command", "command": "true"}', '{"hooks": [{"type": "command", "command": "true"}]}', "error"),
    config("missing-key", "crush", '{"hooks": {"PreToolUse": [{"matcher": "bash"}]}}', '{"matcher"', '"matcher": "bash"', '"command": "true"', "error"),
    config("unknown-key", "crush", crush("true", timout=5), '"timout"', "timout", "timeout"),
    config("unknown-event", "cursor", cursor("true", event="beforeShelExecution"), '"beforeShel', "Shel", "Shell", "error"),
    config("event-elsewhere", "firebender", firebender("true", event="beforeSubmitPrompt"), '"beforeSubmit', "beforeSubmitPrompt", "stop"),
    config("hook-never-runs", "gemini", '{"hooks": {"BeforeTool": [{"hooks": [{"type": "http", "command": "true"}]}]}}', '"http"', "http", "command", "error"),
    config("no-hooks", "claude_code", '{"hooks": {"Stop": [{"hooks": []}]}}', "[]", "[]", '[{"type": "command", "command": "true"}]'),
    config("no-effect", "claude_code", claude("true", "Bash", "Stop"), '"Bash"', '"matcher": "Bash", ', ""),
    config("switched-off", "claude_code", '{"disableAllHooks": true, ' + claude("true")[1:], "", '"disableAllHooks": true, ', ""),
    Row("config-refused", "claude_code", {".claude-plugin/plugin.json": '{"name": "p", "hooks": "hooks.json"}'}, (".claude-plugin/plugin.json", '"hooks.json"'), (".claude-plugin/plugin.json", '"hooks.json"', '"./hooks.json"'), "error"),
    config("timeout-invalid", "claude_code", claude("true", timeout=0), "0}", "0}", "5}", "error"),
    config("timeout-unit", "crush", crush("true", timeout=60000), "60000", "60000", "60"),
    config("timeout-unit", "gemini", gemini("true", timeout=5), "5}", "5}", "5000}"),
    config("matcher-invalid", "crush", crush("true", "*"), '"*"', '"matcher": "*", ', "", "error"),
    config("matcher-matches-nothing", "gemini", gemini("true", "run_shell_command, write_file"), '"run_', ", write", "|write", "error"),
    config("matcher-matches-nothing", "crush", crush("true", "^$"), '"^$"', '"matcher": "^$", ', "", "error"),
    config("matcher-matches-nothing", "claude_code", claude("true", "boot", "SessionStart"), '"boot"', "boot", "startup", "error"),
    config("matcher-matches-no-tool", "claude_code", claude("true", "WebFetch"), "{", "WebFetch", "Bash", "error", tools={"Bash": ""}),
    config("matcher-other-system", "gemini", gemini("true", "Bash"), '"Bash"', "Bash", "run_shell_command"),
    config("matcher-unknown", "claude_code", claude("true", "Wrtie"), '"Wrtie"', "Wrtie", "Write"),
    config("matcher-unknown", "crush", crush("true", "bashh"), '"bashh"', "bashh", "bash"),
    config("matcher-unknown", "everruns", everruns("true", matcher={"tool_name": "bashh"}), '"bashh"', "bashh", "bash"),
    config("matcher-glob", "docker_agent", docker("true", "mcp_*_x"), '"mcp_*_x"', "_*_", "_.*_"),
    config("matcher-subject", "cursor", cursor("true", "Shell"), '"Shell"', '"matcher": "Shell", ', ""),
    config("tool-missed", "claude_code", claude("true", "^bash$"), "{", "^bash$", "Bash", "error", tools={"execute": ""}),
    config("tool-unknown", "claude_code", claude("true", "Bash"), "", "Bash", "", tools={"frobnicate": ""}),
    config("tool-unread", "claude_code", claude("true", "Bash"), "", "Bash", "", tools={"python_repl": ""}),
]  # fmt: skip

IN_COMMANDS = [
    config("syntax-error", "crush", crush("if true; then echo"), '"}', "echo", "echo; fi", "error"),
    script("syntax-error", "#!/bin/sh\necho 'no\n", "'no", "'no", "no", severity="error"),
    config("here-document", "crush", crush(HERE), "EOF\\n", "hello\\n", "hello\\nEOF\\n"),
    config("script-missing", "claude_code", claude('"$CLAUDE_PROJECT_DIR"/hooks/x.sh'), r'\"$CLAUDE', r'\"$CLAUDE_PROJECT_DIR\"/hooks/x.sh', "true", "error"),
    Row("script-missing", "gemini", {CONFIGS["gemini"]: gemini("python3 hooks/x.py")}, (CONFIGS["gemini"], "hooks/x.py"), ("hooks/x.py", "", "print(1)\n"), "error"),
    script("script-missing", "#!/bin/sh\n. ./hooks/lib.sh\n", "./hooks/lib.sh", ". ./hooks/lib.sh\n", ""),
    config("program-missing", "crush", crush("frobnicate --all"), "frobnicate", "frobnicate", "cat"),
    config("program-missing", "crush", crush("compgen -G x"), "compgen", "compgen", "echo"),
    Row("program-missing", "crush", {"crush.json": crush(r".\hooks\x.sh"), "hooks/x.sh": "true\n"}, ("crush.json", r".\\hooks"), ("crush.json", r".\\hooks\\x.sh", "./hooks/x.sh"), "error"),
    Row("script-missing", "crush", {"crush.json": crush(r"sh .\hooks\x.sh"), "hooks/x.sh": "true\n"}, ("crush.json", r".\\hooks"), ("crush.json", r".\\hooks\\x.sh", "./hooks/x.sh"), "error"),
    Row("interpreter", "crush", {"crush.json": crush("./x.ps1"), "x.ps1": "exit 2\n"}, ("crush.json", "./x.ps1"), ("crush.json", "./x.ps1", "true")),
    Row("interpreter", "crush", {"crush.json": crush("./x.bat"), "x.bat": "@echo off\r\nexit 2\r\n"}, ("crush.json", "./x.bat"), ("crush.json", "./x.bat", "true")),
    Row("not-executable", "gemini", {CONFIGS["gemini"]: gemini("./x.sh"), "x.sh": "#!/bin/sh\n"}, (CONFIGS["gemini"], "./x.sh"), ("x.sh", "", 0o755), "error", modes={"x.sh": 0o644}),
    script("bash-under-sh", "#!/bin/sh\n[[ a == b ]] && exit 2\n", "[[ a", "/sh", "/bash", severity="error"),
    config("bash-under-sh", "claude_code", claude("[[ a == b ]] && exit 2"), "[[ a", "[[ a == b ]]", "[ a = b ]", "error"),
    script("echo-under-sh", '#!/bin/sh\nIN=$(cat)\nC=$(echo "$IN" | jq -r .tool_input.command)\n[ "$C" = x ] && exit 2\n', 'echo "$IN"', "echo", "printf '%s\\n'", severity="error"),
    config("echo-under-sh", "claude_code", claude('C=$(jq -r .tool_input.command); if echo "$C" | grep -q x; then exit 2; fi'), "echo", "echo", "printf %s"),
    Row("unquoted-variable", "claude_code", {CONFIGS["claude_code"]: claude("$CLAUDE_PROJECT_DIR/x.sh"), "x.sh": "#!/bin/sh\n"}, (CONFIGS["claude_code"], "$CLAUDE"), (CONFIGS["claude_code"], "$CLAUDE_PROJECT_DIR", r'\"$CLAUDE_PROJECT_DIR\"'), "hint"),
    Row("relative-script", "claude_code", {CONFIGS["claude_code"]: claude("sh x.sh"), "x.sh": "#!/bin/sh\n"}, (CONFIGS["claude_code"], "x.sh"), (CONFIGS["claude_code"], "x.sh", r'\"$CLAUDE_PROJECT_DIR\"/x.sh'), "hint"),
    script("crlf", "#!/bin/sh\r\ntrue\r\n", "\r\n", "\r\n", "\n", severity="error"),
    script("crlf", "#!/bin/sh\ntrue\r\n", "\ntrue", "\r\n", "\n"),
    script("interpreter", "#!/usr/bin/env sh -e\ntrue\n", "#!", "env sh", "env -S sh", severity="error"),
    script("interpreter", "#!sh\ntrue\n", "#!", "#!sh", "#!/bin/sh", severity="error"),
    script("interpreter", "#!/opt/no-such/sh\ntrue\n", "#!", "/opt/no-such/sh", "/bin/sh"),
    script("byte-order-mark", "\ufeff#!/bin/sh\ntrue\n", "", "\ufeff", ""),
    script("exit-1-does-not-block", GUARD.format(1), "exit 1", "exit 1", "exit 2", severity="error"),
    config("exit-1-does-not-block", "crush", crush("grep -q rm && { echo no >&2; exit 1; }"), "exit 1", "exit 1", "exit 2", "error"),
    config("silent-exit-2", "codex", claude("grep -q rm && { echo no; exit 2; }"), "exit 2", "echo no;", "echo no >&2;", "error"),
    config("exit-1-does-not-block", "claude_code", claude("echo no >&2; false"), "false", "false", "exit 2", "hint"),
    config("exit-1-does-not-block", "claude_code", claude("echo no >&2; kill -9 $$"), "kill", "kill -9 $$", "exit 2", "hint"),
    config("payload-key", "claude_code", claude("jq -e '.tool_input.cmd' >/dev/null && exit 2"), "'.tool_input", "cmd", "command", "hint"),
    config("variable-unset", "claude_code", claude("case '{{ tool_input.command }}' in x) exit 2;; esac"), "{{", "{{ tool_input.command }}", "x", "hint"),
    config("answer-unreadable", "claude_code", claude(r'''echo '"{\"decision\": \"block\"}"' '''), "echo", r'''\"{\\\"decision\\\": \\\"block\\\"}\"''', r'''{\"decision\": \"block\"}''', "error"),
    config("answer-no-effect", "claude_code", claude("exit 2", **{"async": True}), "exit 2", '"async": true', '"timeout": 5', "hint"),
    script("no-effect", "#!/bin/bash\n# to be written\n", "#!/bin/bash", "#", "exit 0 #", severity="hint"),
    script("payload-key", "#!/bin/sh\njq -r .command\n", ".command", ".command", ".tool_input.command"),
    script("payload-key", "#!/bin/sh\nin=$(cat)\nc=$(echo \"$in\" | jq -r '.toolInput.command')\n", "'.toolInput", "toolInput", "tool_input"),
    script("payload-key", "#!/bin/sh\njq -r '.file_path // .path // empty'\n", "'.file_path", ".path //", ".tool_input.file_path //"),
    script("exit-1-does-not-block", '#!/bin/sh\n[ "$(jq -r .tool_input.command)" = "rm -rf /" ] && echo no >&2 && exit 1\nexit 0\n', "exit 1", "exit 1", "exit 2", severity="error"),
    script("jq-syntax", "#!/bin/sh\njq -r '.tool_input | select('\n", "'.tool_input", " | select(", "", severity="error"),
    script("windows-path", '#!/bin/sh\np=$(jq -r .tool_input.file_path)\ncase $p in /*) exit 2 ;; esac\n', "/*)", "/*)", "/* | [A-Za-z]:/*)", severity="hint"),
    script("windows-path", '#!/bin/bash\np=$(jq -r .tool_input.file_path)\n[[ $p == /* ]] || p=$PWD/$p\n', "$p == /*", "== /* ]]", "== /* || $p == [A-Za-z]:/* ]]", severity="hint"),
    script("windows-path", '#!/bin/sh\nd=$PWD\nwhile [ -n "$d" ]; do [ -e "$d/x" ] && exit 2; d=${d%/*}; done\n', "while", 'while [ -n "$d" ]; do [ -e "$d/x" ] && exit 2; d=${d%/*}', 'while [ "$d" != / ]; do [ -e "$d/x" ] && exit 2; d=$(dirname "$d")', severity="hint"),
    script("macos-path", '#!/bin/sh\np=$(realpath "$(jq -r .tool_input.file_path)")\ncase $p in /etc/*) exit 2 ;; esac\n', "/etc/*)", "/etc/*)", "/etc/* | /private/etc/*)", severity="hint"),
    script("macos-path", '#!/bin/bash\np=$(readlink -f "$(jq -r .tool_input.file_path)")\n[[ $p == /tmp/* ]] && exit 2\nexit 0\n', "/tmp/*", "$p == /tmp/*", "$p == /tmp/* || $p == /private/tmp/*", severity="hint"),
    script("bsd-form", "#!/bin/sh\nsed -i '' s/a/b/ log\n", "sed", "-i ''", "-i.bak", severity="hint"),
    script("bsd-form", "#!/bin/sh\njq -r .cwd | base64 -D\n", "base64", "-D", "--decode", severity="hint"),
    script("bsd-form", "#!/bin/sh\nage=$(stat -f %m log)\n", "stat", "stat -f %m log", "stat -c %Y log 2>/dev/null || stat -f %m log", severity="hint"),
    script("bsd-form", "#!/bin/sh\nday=$(date -v-1d +%s)\n", "date", "date -v-1d +%s", "jq -n 'now - 86400 | floor'", severity="hint"),
    script("read-backslash", "#!/bin/bash\nread input\n", "read input", "read input", "read -r input"),
    script("json-pasted", '#!/bin/sh\nc=$(jq -r .tool_input.command)\necho "{\\"decision\\": \\"block\\", \\"reason\\": \\"$c\\"}"\n', "echo", 'echo "{\\"decision\\": \\"block\\", \\"reason\\": \\"$c\\"}"', "jq -n --arg c \"$c\" '{decision: \"block\", reason: $c}'"),
    script("json-pasted", "#!/bin/sh\nc=$(jq -r .tool_input.command)\nprintf '{\"reason\": \"%s\"}' \"$c\"\n", "printf", "printf '{\"reason\": \"%s\"}' \"$c\"", "jq -n --arg c \"$c\" '{reason: $c}'"),
    config("json-pasted", "crush", crush('echo "{\\"reason\\": \\"$CRUSH_TOOL_INPUT_COMMAND\\"}"'), "echo", "$CRUSH_TOOL_INPUT_COMMAND", "none"),
    config("payload-key", "claude_code", claude("jq -r .tool_input.comand", "Bash"), ".tool_input", "comand", "command"),
    config("variable-unset", "claude_code", claude('echo "$CLAUDE_TOOL_INPUT" | grep -q rm && exit 2; exit 0'), "$CLAUDE_TOOL", r'\"$CLAUDE_TOOL_INPUT\"', r'\"$(cat)\"'),
    config("variable-unset", "claude_code", claude("case $1 in *rm*) exit 2;; esac"), "$1", "$1", "$(cat)"),
    config("variable-unset", "cursor", cursor("grep -q rm <<< $CURSOR_FILE && exit 2"), "$CURSOR_FILE", "$CURSOR_FILE", "$(cat)"),
    script("variable-unset", "#!/bin/bash\n[[ $TOOL_INPUT == *rm* ]] && exit 2\n", "$TOOL_INPUT", "$TOOL_INPUT", "$(cat)"),
    config("program-missing", "crush", crush("/opt/none/x --all"), "/opt", "/opt/none/x", "cat"),
    config("answer-unreadable", "claude_code", claude("echo '{\"decision\": \"denied\"}'"), "echo", "denied", "block", "error"),
    config("answer-unreadable", "claude_code", claude("echo '{\"hookSpecificOutput\": {\"permissionDecision\": \"deny\"}}'"), "echo", r'\"permissionDecision', r'\"hookEventName\": \"PreToolUse\", \"permissionDecision', "error"),
    script("answer-unreadable", "#!/bin/sh\ncat <<'EOF'\n{\"decision\": \"block\",}\nEOF\n", "cat", '",}', '"}', severity="error"),
    config("answer-unreadable", "claude_code", claude("echo checked; echo '{\"decision\": \"block\"}'"), "echo '{", "echo checked; ", "", "error"),
    config("answer-no-effect", "claude_code", claude("echo '{\"decision\": \"block\"}'", event="SessionEnd"), "echo", "SessionEnd", "Stop"),
    config("answer-no-effect", "gemini", gemini("echo '{\"decision\": \"Deny\"}'"), "echo", "Deny", "deny"),
]  # fmt: skip

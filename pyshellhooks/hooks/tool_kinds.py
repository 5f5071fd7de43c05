"""The kinds of tools, with the names that agents give to tools of each kind and to their arguments.

A table, compiled in November 2026 from the documents and sources of agents and SDKs; ``tools`` reads it. A name alone
proves nothing: it counts only if the call has the arguments that its kind needs (decisions tool names).
"""

from __future__ import annotations

from collections.abc import Mapping


class Kind:
    """A kind of tool.

    ``names``: the names of such tools in agents. ``needs``: the arguments without which a call is not of this kind, by
    their names here; guards read the first two. ``sure``: names that count with any arguments.
    ``spellings``: an argument's name here, and all its names in agents.
    ``own``: the names that a host states for some arguments of one of its tools.
    """

    __slots__ = ("name", "names", "needs", "own", "spelled", "spellings", "sure")

    def __init__(self, name: str, names: str, needs: str, sure: str = "", **spellings: str) -> None:
        self.name = name
        self.sure = frozenset(sure.split())
        self.names = (*names.split(), *sure.split())
        self.needs = tuple(needs.split())
        self.own: Mapping[str, tuple[str, ...]] = {}
        self.spellings: Mapping[str, tuple[str, ...]] = {
            argument: (argument, *others.split()) for argument, others in spellings.items()
        }
        self.spelled = {word: argument for argument, words in self.spellings.items() for word in words}

    def with_names(self, names: Mapping[str, tuple[str, ...]]) -> Kind:
        """Return the kind with one tool's names for some of its arguments.

        They replace the usual names and stand for no other argument. The name here still counts beside them.
        """
        taken = {word for words in names.values() for word in words}
        kind = Kind(self.name, "", " ".join(self.needs))
        kind.names, kind.sure, kind.own = self.names, self.sure, names
        kind.spellings = {
            argument: (*names[argument], *({argument} - taken))
            if argument in names
            else tuple(w for w in words if w not in taken)
            for argument, words in self.spellings.items()
        }
        kind.spelled = {word: argument for argument, words in kind.spellings.items() for word in words}
        return kind

    def __repr__(self) -> str:
        return f"Kind({self.name})"


_COMMAND = "cmd commands command_line commandLine CommandLine shell_command bash_command action"
_FOLDER = "dir_path directory dir dirPath dirpath DirectoryPath target_directory directory_path relative_workspace_path folder"
_FILE = "filePath filepath path absolute_path target_file TargetFile AbsolutePath file filename file_name relative_workspace_path"
_CWD = "workdir working_dir working_directory workingDirectory work_dir Cwd cd exec_dir dir_path directory"

#: A name of several kinds is tried in this order.
KINDS: tuple[Kind, ...] = (
    Kind(
        "shell",
        "bash Bash shell Shell sh zsh run_shell_command run_shell shell_exec shell_command execute exec run "
        "exec_command execute_command execute_bash execute_cmd bash_tool BashTool run_bash bash_command command_line "
        "run_command run_commands start_command run_background_job runCommand run_in_terminal runInTerminal "
        "run_terminal_cmd run_terminal_command terminal Terminal local_shell local_shell_call ShellTool LocalShellTool "
        "container.exec developer__shell Execute powershell PowerShell Monitor execute_shell execute_shell_command "
        "docker_exec e2b_exec deno_exec daytona_exec",
        "command",
        command=_COMMAND,
        cwd=_CWD,
    ),
    Kind(
        "code",
        "execute Execute exec run code run_code execute_code code_execution CodeExecutor run_tools_with_javascript",
        "code",
        sure="python python_repl Python_REPL python_interpreter ipython code_interpreter execute_python "
        "execute_python_code python_execute execute_ipython_cell run_python run_python_code node_repl js_repl "
        "e2b_sandbox_python daytona_sandbox_python run_notebook_cell",
        code="source python_code script snippet program",
    ),
    Kind(
        "read",
        "view Read read read_file ReadFile readFile read_many_files fs_read file_read open_file cat view_file "
        "get_file_contents load_file read_file_range docker_read_file e2b_read_file deno_read_file",
        "file_path",
        file_path=_FILE,
    ),
    Kind(
        "write",
        "write Write write_file WriteFile writeFile create_file create_new_file fs_write file_write write_to_file "
        "save_file Create create save write_text_file docker_write_file e2b_write_file deno_write_file",
        "file_path content",
        file_path=_FILE,
        content="contents file_text text data fileText CodeContent",
    ),
    Kind(
        "edit",
        "edit Edit replace edit_file EditFile str_replace StrReplace search_replace search_and_replace "
        "single_find_and_replace replace_string_in_file replace_file_content file_edit",
        "file_path new_string old_string",
        sure="apply_patch ApplyPatch replace_in_file apply_diff edit_existing_file insert_edit_into_file",
        file_path=_FILE,
        old_string="old_str oldString old_text oldText old before TargetContent search",
        new_string="new_str newString new_text newText new after ReplacementContent insert_text replace",
        replace_all="replaceAll allow_multiple",
    ),
    Kind(
        "multiedit",
        "multiedit MultiEdit multi_edit edit_file edit multi_replace_string_in_file",
        "file_path edits",
        file_path=_FILE,
        edits="replacements",
    ),
    Kind("delete", "Delete delete delete_file file_delete remove_file delete_path", "file_path", file_path=_FILE),
    Kind("list", "ls LS list List list_directory list_dir list_files directory_tree tree", "", path=_FOLDER),
    Kind(
        "glob",
        "glob Glob find_files file_search file_glob_search glob_search glob_file_search find_path",
        "pattern",
        pattern="glob_pattern glob",
        path=_FOLDER,
    ),
    Kind(
        "grep",
        "grep Grep search_file_content grep_search grep_files search_files_content search_files Search code_search rg",
        "pattern",
        pattern="query regex Query",
        path=_FOLDER + " SearchPath",
    ),
    Kind(
        "fetch",
        "fetch Fetch WebFetch web_fetch webfetch fetch_url FetchURL FetchUrl fetch_webpage fetch_url_content "
        "visit_webpage read_url http_request agentic_fetch",
        "url",
        url="uri website_url urls",
    ),
    Kind(
        "web_search",
        "web_search WebSearch google_web_search websearch search_web SearchWeb",
        "query",
        query="search_term q search_query",
    ),
    Kind(
        "task",
        "agent Agent task Task transfer_task invoke_agent spawn_agent new_task delegate_task delegate runSubagent",
        "prompt",
        prompt="task message instructions",
    ),
    Kind("todo", "todos TodoWrite write_todos todo_write todowrite", "todos", todos="todo_list todoList"),
)

BY_NAME: dict[str, Kind] = {kind.name: kind for kind in KINDS}

#: Editors with several actions; their ``command`` is the name of an action and never a shell's command.
EDITORS = frozenset(
    "str_replace_editor str_replace_based_edit_tool file_editor text_editor developer__text_editor editor fs_write "
    "memory".split()
)
#: Tools whose only argument may be named like a command, but is something else.
NO_SHELLS = frozenset("run_slash_command slash_command knowledge todo_list todo mcp_router tmux notebook".split())
#: Words in the names of shells, and pairs of words for running commands: ``remote_shell``, ``executeCommand``.
SHELL_WORDS = frozenset("sh bash zsh ksh shell shells powershell pwsh terminal ssh wsl".split())
RUN_WORDS = frozenset("exec execute run start spawn launch invoke interact".split())
COMMAND_WORDS = frozenset("command commands cmd cmds process subprocess".split())
#: Words in the names of tools that read a shell's state and run nothing in it: ``get_terminal_output``.
LOOK_WORDS = frozenset("get read list kill close stop search find history output status help docs info".split())
#: More names of the command's argument, for tools with a shell's name.
SCRIPTS = ("script", "cmdline", "input", "code", "args", "argv", "arguments", "line", "text", "program", "stdin")
EDITOR_VERBS: dict[str, str] = {
    "view": "read",
    "create": "write",
    "write": "write",
    "append": "write",
    "str_replace": "edit",
    "pattern_replace": "edit",
    "insert": "edit",
    "undo_edit": "edit",
    "delete": "delete",
}

#: Arguments that add to the program of a shell's call, beside its command.
MORE_OF_COMMAND = frozenset("args arguments argv stdin".split())
#: Further arguments of shell calls: a call of any name with a command and only these looks like a shell call. Tools
#: whose ``command`` is a verb (editors, memories) have other arguments.
BESIDE_COMMAND = frozenset(
    "description timeout timeout_ms timeoutMs timeout_seconds timeout_secs cwd workdir working_dir working_directory "
    "workingDirectory work_dir Cwd cd exec_dir dir dir_path directory env background is_background isBackground "
    "run_in_background auto_background_after restart reset explanation goal summary shell login tty mode output "
    "yield_time_ms max_output_tokens justification prefix_rule with_escalated_permissions sandbox_permissions "
    "dangerouslyDisableSandbox security_risk requires_approval risk_level riskLevel session_id sandbox_id is_input "
    "delay_ms parallel ignore_errors process_type waitForCompletion WaitMsBeforeAsync Blocking SafeToAutoRun "
    "user".split()
)

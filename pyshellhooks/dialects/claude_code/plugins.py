"""The hooks that settings bring in: of plugins, and of the frontmatter of skills, commands and agents (claude_code 1.1)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ...hooks.dialect import ConfigFile, Surroundings
from ...hooks.json_text import JsonError, read
from ...hooks.places import PLUGIN_HOOKS, PLUGIN_MANIFEST
from ...hooks.wire import JSON

MANIFEST = PLUGIN_MANIFEST
CATALOG = ".claude-plugin/marketplace.json"
STANDARD = PLUGIN_HOOKS  # read in every plugin, whatever its manifest names
#: Directory of files with frontmatter -> the name of one such file, and the time while its hooks count.
_FRONTMATTER = {
    "skills": ("skill", "is active"),
    "commands": ("command", "is active"),
    "agents": ("agent", "runs"),
}
#: A text that may name plugins or marketplaces, also with a key that is written with escapes.
_NAMES_PLUGINS = re.compile(r"Plugins|Marketplaces|\\u")
_SETTINGS = frozenset({"settings.json", "settings.local.json", "managed-settings.json"})


def is_manifest(path: str) -> bool:
    """Return whether a file is a plugin's manifest."""
    return _is_at(path, MANIFEST)


def is_catalog(path: str) -> bool:
    """Return whether a file is a marketplace's list of plugins."""
    return _is_at(path, CATALOG)


def _is_at(path: str, place: str) -> bool:
    return posixpath.join("/", path.replace("\\", "/")).endswith(f"/{place}")


def leads_to(text: str, root: str) -> list[str]:
    """Return the files of hooks of the plugin in a directory whose manifest has this text."""
    hooks = _object(text).get("hooks")
    names = hooks if isinstance(hooks, list) else [hooks]
    found = [STANDARD, *(name for name in names if isinstance(name, str) and stays_inside(name))]
    return list(dict.fromkeys(posixpath.normpath(f"{root}/{name}") for name in found))


def stays_inside(name: str) -> bool:
    """Return whether a path of a manifest or a marketplace begins with ``./`` and does not lead out of its directory."""
    return "\0" not in name and name.startswith("./") and not f"{posixpath.normpath(name)}/".startswith("../")


def brought(
    place: Surroundings,
    settings: Sequence[tuple[ConfigFile, str]],
    is_dropped: Callable[[ConfigFile, str], bool],
    at_times: bool = True,
) -> list[ConfigFile]:
    """Return the files that settings bring: of the plugins that they enable, and those whose hooks count at times only.

    ``is_dropped``: whether Claude Code drops a file of settings with this text; such a file turns no plugin off.
    """
    bringer = _Bringer(place, settings, is_dropped)
    found = [file for id, (value, by) in bringer.enabled().items() for file in bringer.plugin(id, value, by)]
    if not at_times:
        return found
    roots = {file.plugin: file.scope for file in found if file.plugin and file.supported and not file.note}
    return [*found, *bringer.frontmatter(roots)]


class _Bringer:
    """Reads the files that say where plugins lie."""

    def __init__(
        self,
        place: Surroundings,
        settings: Sequence[tuple[ConfigFile, str]],
        is_dropped: Callable[[ConfigFile, str], bool],
    ) -> None:
        self.place = place
        self.user = place.env.get("CLAUDE_CONFIG_DIR") or place.join(place.home, ".claude")
        texts = [(file, text) for file, text in settings if file.path.rpartition("/")[2] in _SETTINGS]
        self.settings = [(file, _object(text)) for file, text in texts if _NAMES_PLUGINS.search(text)]
        # What a dropped file turns off stays on.
        self._without_off = {file.path for file, text in texts if "false" in text and is_dropped(file, text)}

    def enabled(self) -> dict[str, tuple[JSON, ConfigFile]]:
        """Return the value of the highest file for each plugin (``name@marketplace``), and that file."""
        found: dict[str, tuple[JSON, ConfigFile]] = {}
        for file, root in self.settings:
            plugins = root.get("enabledPlugins")
            for id, value in plugins.items() if isinstance(plugins, dict) else ():
                if value is False and (id not in found or file.path in self._without_off):
                    continue
                found[id] = (value, file)
        return found

    def plugin(self, id: str, value: JSON, by: ConfigFile) -> Iterator[ConfigFile]:
        """Yield the files of one plugin, or why it is not loaded."""
        root, catalog = self._locate(id)
        if catalog:
            directory = catalog.removesuffix(f"/{CATALOG}")
            yield ConfigFile(catalog, self._scope(directory), plugin=directory)
        if not root:
            if value is True:
                note = f"the plugin {id} is enabled and is not installed here: hooks of it are not run"
                mend = "install it (/plugin), or take it out of enabledPlugins"
                yield self._missing(by.path, by.scope, note, mend)
            return
        note = "" if value is True else f"enabledPlugins of {by.path} turns the plugin {id} off"
        mend = f'write "{id}": true to turn it on' if note else ""
        manifest = f"{root}/{MANIFEST}"
        usual = f"{root}/{STANDARD}"
        for path in [manifest, *leads_to(self.place.text(manifest), root)]:
            if path not in (manifest, usual) and not note and not self.place.exists(path):
                missing = f"the plugin {id} has no file {path}: its hooks there are not run"
                yield self._missing(manifest, self._scope(root), missing, "put it there, or take it out of hooks")
            yield ConfigFile(path, self._scope(root), note=note, mend=mend, plugin=root, quiet=bool(note))

    @staticmethod
    def _missing(path: str, scope: str, note: str, mend: str) -> ConfigFile:
        return ConfigFile(path, scope, supported=False, note=note, mend=mend, code="plugin-missing")

    def _locate(self, id: str) -> tuple[str, str]:
        """Return a plugin's directory, ``""`` for one that is not here, and the list of its marketplace if that is read."""
        name, _, marketplace = id.rpartition("@")
        directory = self._marketplace(marketplace)
        if not directory:
            return self._installed(id), ""
        catalog = f"{directory}/{CATALOG}"
        source = _source_in(_object(self.place.text(catalog)), name)
        return self._absolute(f"{directory}/{source}") if source else self._installed(id), catalog

    def _marketplace(self, name: str) -> str:
        """Return the directory of a marketplace that a person has registered and that is used in place; ``""`` for others."""
        registered = [self._read("known_marketplaces.json")]
        # What a project declares counts when a person has agreed, which registers it.
        own = [root for file, root in reversed(self.settings) if file.scope != "project"]
        registered += [root["extraKnownMarketplaces"] for root in own if "extraKnownMarketplaces" in root]
        for entries in registered:
            path = _directory(entries.get(name)) if isinstance(entries, dict) else ""
            if path:
                return self._absolute(path)
        return ""

    def _absolute(self, path: str) -> str:
        """Return a directory from the root on; ``""`` for what can be none."""
        if "\0" in path:
            return ""
        path = path.replace("\\", "/") if self.place.windows else path
        if not path.startswith("/") and path[1:2] != ":":
            path = f"{self.place.project_dir or self.place.cwd}/{path}"
        path, real = posixpath.normpath(path), self.place.flat(path)
        # What lies in the project is the project's, whatever link leads there.
        return real if self._scope(real) == "project" else path

    def _installed(self, id: str) -> str:
        """Return the directory into which a plugin was installed for this project or for the user; ``""`` for a plugin without one."""
        plugins = self._read("installed_plugins.json").get("plugins")
        entries = plugins.get(id) if isinstance(plugins, dict) else None
        project = self.place.project_dir or self.place.cwd
        for one in entries if isinstance(entries, list) else ():
            path = one.get("installPath") if isinstance(one, dict) else None
            if isinstance(path, str) and path and one.get("projectPath", project) == project:
                root = self._absolute(path)
                if self.place.exists(root):
                    return root
        return ""

    def _read(self, name: str) -> Mapping[str, JSON]:
        return _object(self.place.text(self.place.join(self.user, "plugins", name)))

    def _scope(self, path: str) -> str:
        """Return the scope of a directory: "project" below the project, else "user"."""
        project = self.place.project_dir or self.place.cwd
        return "project" if f"{path}/".startswith(f"{project.rstrip('/')}/") else "user"

    def frontmatter(self, plugins: Mapping[str, str]) -> Iterator[ConfigFile]:
        """Yield the files whose frontmatter has hooks; these count at times only."""
        bases = {self.user: "user", **{self.place.join(one, ".claude"): "project" for one in self.place.directories()}}
        for base, scope in {**bases, **plugins}.items():
            for folder, (noun, when) in _FRONTMATTER.items():
                for path in self._marked(f"{base}/{folder}", folder == "skills"):
                    name = path.split("/")[-2 if folder == "skills" else -1].removesuffix(".md")
                    note = f"its hooks count only while the {noun} {name} {when}"
                    mend = f"to try them: --config {path} --dialect claude_code"
                    root = base if base in plugins else posixpath.dirname(path) if folder == "skills" else ""
                    yield ConfigFile(path, scope, note=note, mend=mend, plugin=root)

    def _marked(self, directory: str, nested: bool) -> Iterable[str]:
        for name in self.place.names(directory):
            path = f"{directory}/{name}/SKILL.md" if nested else f"{directory}/{name}"
            if path.endswith(".md") and _has_hooks(self.place.text(path)):
                yield path


def _has_hooks(text: str) -> bool:
    """Return whether the frontmatter of a Markdown file has a key ``hooks``."""
    head, _, rest = text.partition("\n")
    return head.rstrip() == "---" and any(line.startswith("hooks:") for line in rest.partition("\n---")[0].split("\n"))


def _directory(entry: JSON) -> str:
    """Return the path of a marketplace that is a directory; ``""`` for one that comes from elsewhere."""
    source = entry.get("source") if isinstance(entry, dict) else None
    path = source.get("path") if isinstance(source, dict) and source.get("source") == "directory" else None
    return path if isinstance(path, str) else ""


def _source_in(catalog: Mapping[str, JSON], name: str) -> str:
    """Return the path of a plugin below its marketplace's directory; ``""`` for a plugin of another source."""
    plugins = catalog.get("plugins")
    for one in plugins if isinstance(plugins, list) else ():
        if isinstance(one, dict) and one.get("name") == name:
            source = one.get("source")
            return source if isinstance(source, str) and stays_inside(source) else ""
    return ""


def _object(text: str) -> Mapping[str, JSON]:
    """Read an object of JSON, ``{}`` for any other text: the loader of the file reports the mistake."""
    try:
        root = read(text, "").root.plain() if text else None
    except JsonError:
        return {}
    return root if isinstance(root, dict) else {}

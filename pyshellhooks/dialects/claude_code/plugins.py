"""Hook files that settings add: of plugins, and of skills, commands and agents (claude_code 1.1)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...errors import message_of
from ...hooks.dialect import ConfigFile, HostContext
from ...hooks.places import PLUGIN_HOOKS, PLUGIN_MANIFEST
from ...jsontext.compact import JSON
from ...jsontext.document import object_of

MANIFEST = PLUGIN_MANIFEST
CATALOG = ".claude-plugin/marketplace.json"
STANDARD = PLUGIN_HOOKS  # read in every plugin, whatever its manifest names
#: Directory of files with frontmatter -> the noun for such a file, and the time while its hooks count.
_FRONTMATTER = {
    "skills": ("skill", "is active"),
    "commands": ("command", "is active"),
    "agents": ("agent", "runs"),
}
#: A text that may name plugins or marketplaces, also with a key that is written with escapes.
_NAMES_PLUGINS = re.compile(r"[pP]lugin|Marketplaces|\\u")
#: Characters that are replaced in the name of a plugin's data directory.
_UNNAMED = re.compile(r"[^A-Za-z0-9_-]")
#: Parts of a plugin that its manifest and its entry must not both name, unless the entry is strict.
_COMPONENTS = ("agents", "commands", "hooks", "outputStyles", "skills", "themes")
NOT_LOADED = "Claude Code does not load it"
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
    """Return the hook files of the plugin in a directory, given the text of its manifest."""
    hooks = _object(text).get("hooks")
    names = hooks if isinstance(hooks, list) else [hooks]
    inside = [name for name in names if isinstance(name, str) and stays_inside(name)]
    found = [STANDARD, *(name for name in inside if name.endswith(".json"))]
    return list(dict.fromkeys(posixpath.normpath(f"{root}/{name}") for name in found))


def stays_inside(name: str) -> bool:
    """Return whether a path of a manifest or a marketplace begins with ``./`` and does not lead out of its directory."""
    return "\0" not in name and name.startswith("./") and not f"{posixpath.normpath(name)}/".startswith("../")


def brought(
    place: HostContext,
    settings: Sequence[tuple[ConfigFile, str]],
    is_dropped: Callable[[ConfigFile, str], bool],
    at_times: bool = True,
) -> list[ConfigFile]:
    """Return the files that settings add: those of enabled plugins, and those whose hooks count at times only.

    ``is_dropped``: whether Claude Code drops a file of settings with this text; such a file turns no plugin off.
    """
    bringer = _PluginFinder(place, settings, is_dropped)
    files = [file for id, (value, by) in bringer.enabled().items() for file in bringer.plugin(id, value, by)]
    files = [*bringer.unreadable.values(), *files]
    if not at_times:
        return files
    usual = [file for file in files if file.plugin and not file.entry and file.supported and file.diagnostic is None]
    roots = {file.plugin: file.scope for file in usual}
    return [*files, *bringer.frontmatter(roots)]


class _PluginFinder:
    """Finder of plugins, which reads the files that record their directories."""

    def __init__(
        self,
        place: HostContext,
        settings: Sequence[tuple[ConfigFile, str]],
        is_dropped: Callable[[ConfigFile, str], bool],
    ) -> None:
        self.place = place
        self.user = place.env.get("CLAUDE_CONFIG_DIR") or place.join(place.home, ".claude")
        texts = [(file, text) for file, text in settings if file.path.rpartition("/")[2] in _SETTINGS]
        self.settings = [(file, _object(text)) for file, text in texts if _NAMES_PLUGINS.search(text)]
        self.unreadable: dict[str, ConfigFile] = {}  # records of plugins that exist and can't be read
        self._options: dict[str, JSON] = {}
        self._texts: dict[str, str] = {}
        for file, root in self.settings:
            configs = root.get("pluginConfigs")
            for id, config in configs.items() if isinstance(configs, dict) and file.scope != "project" else ():
                self._options[id] = config.get("options") if isinstance(config, dict) else None
        # A dropped file turns no plugin off.
        self._without_off = {file.path for file, text in texts if "false" in text and is_dropped(file, text)}

    def enabled(self) -> dict[str, tuple[JSON, ConfigFile]]:
        """Return the value of the highest file for each plugin (``name@marketplace``), and that file."""
        enabled: dict[str, tuple[JSON, ConfigFile]] = {}
        for file, root in self.settings:
            plugins = root.get("enabledPlugins")
            for id, value in plugins.items() if isinstance(plugins, dict) else ():
                if value is False and (id not in enabled or file.path in self._without_off):
                    continue
                enabled[id] = (value, file)
        return enabled

    def _by_a_person(self, id: str) -> str:
        """Return the settings file outside of the project that enables a plugin; ``""`` if none does."""
        for file, root in reversed(self.settings):
            plugins = root.get("enabledPlugins")
            if file.scope != "project" and isinstance(plugins, dict) and plugins.get(id) is True:
                return file.path
        return ""

    def plugin(self, id: str, value: JSON, by: ConfigFile) -> Iterator[ConfigFile]:
        """Yield the files of one plugin, or the reason for which it is not loaded."""
        market = self._marketplace(id)
        root = self._root(id, market)
        message = "" if value is True else f"enabledPlugins of {by.path} turns the plugin {id} off"
        hint = f'write "{id}": true to turn it on' if message else ""
        person = self._by_a_person(id) if message and by.scope == "project" else ""
        if person:
            message += f", which {person} enables"
        files = [(path, "") for path in self._files(root)] if root else []
        if market.catalog:
            files.insert(0, (market.catalog, market.name))
        for path, entry in files:
            scope = self._scope(market.directory if entry else root)
            yield ConfigFile(
                path, scope, message=message, hint=hint, code="switched-off",
                plugin=root, entry=entry, extra=self._extra(id), quiet=bool(message) and not person,
            )  # fmt: skip
        if root and not message:
            yield from self._why_not_loaded(id, market, root, self._files(root))
        elif value is True:
            missing = f"the plugin {id} is enabled but not installed here: its hooks do not run"
            yield self._missing(by.path, by.scope, missing, "install it (/plugin), or remove it from enabledPlugins")

    def _files(self, root: str) -> list[str]:
        """Return the manifest of a plugin, and the hook files to which it leads."""
        manifest = f"{root}/{MANIFEST}"
        return [manifest, *leads_to(self.place.text(manifest), root)]

    def _extra(self, id: str) -> dict[str, JSON]:
        """Return the extra data of a plugin's hooks: its data directory, and the options that the user has set."""
        name = _UNNAMED.sub("-", id)
        return {"data": f"{self.user}/plugins/data/{name}", "options": self._options.get(id, {})}

    def _why_not_loaded(self, id: str, market: _Marketplace, root: str, files: Sequence[str]) -> Iterator[ConfigFile]:
        """Yield the reasons for which Claude Code loads less of a plugin than its files contain."""
        manifest, scope = files[0], self._scope(root)
        text = self.place.text(manifest)
        events_of = {path: _events_in(_object(self.place.text(path)).get("hooks")) for path in files[1:]}
        for path, events in events_of.items():
            is_missing = path != f"{root}/{STANDARD}" and not self.place.exists(path)
            if is_missing:
                missing = f"the plugin {id} has no file {path}: the hooks of that file do not run"
                yield self._missing(manifest, scope, missing, "create it, or remove it from hooks")
            elif events and not self._is_inside(path, root, market.directory):
                message = f"it is outside of the plugin {id}: Claude Code does not read it"
                yield self._refused(path, scope, message, "replace the link with the file")
        yield from self._why_not_loaded_by_entry(id, market, root, manifest, events_of)
        for needed in self._needs(_object(text), id):
            message = f"the plugin {id} needs {needed}, which is not enabled: {NOT_LOADED}"
            yield self._refused(manifest, scope, message, f'write "{needed}": true into enabledPlugins')

    def _why_not_loaded_by_entry(
        self, id: str, market: _Marketplace, root: str, manifest: str, events_of: Mapping[str, set[str]]
    ) -> Iterator[ConfigFile]:
        """Yield the reasons for which the marketplace's entry turns off the plugin, or hooks in its files."""
        text, scope, entry = self.place.text(manifest), self._scope(root), market.entry
        if text and entry.get("strict") is False and any(key in entry for key in _COMPONENTS):
            message = f"the plugin {id} has a manifest, but {market.catalog} lists parts of it too, without strict: {NOT_LOADED}"
            fix = 'write "strict": true there, or remove the parts from one of the two'
            yield self._refused(manifest, scope, message, fix)
            return
        if not isinstance(entry.get("hooks"), dict):
            return
        events = set().union(*events_of.values(), _events_in(_object(text).get("hooks")))
        hidden = events & _events_in(entry["hooks"]) if text else events
        if hidden:
            names = ", ".join(sorted(hidden))
            message = (
                f"hooks of {names} do not run in Claude Code: those of the plugin in {market.catalog} replace them"
            )
            place = next((path for path, its_events in events_of.items() if its_events), manifest)
            yield self._refused(place, scope, message, "write the hooks in one of the two places")

    def _needs(self, manifest: Mapping[str, JSON], id: str) -> Iterator[str]:
        """Yield the plugins on which a manifest depends and that are not enabled or not installed."""
        needed = manifest.get("dependencies")
        enabled = {name for name, (value, _) in self.enabled().items() if value is True}
        for item in needed if isinstance(needed, list) else ():
            if isinstance(item, str) and item:
                full = item if "@" in item else f"{item}@{id.rpartition('@')[2]}"
                if full not in enabled or not self._root(full, self._marketplace(full)):
                    yield full

    def _is_inside(self, path: str, root: str, directory: str) -> bool:
        """Return whether a file is in its plugin's directory, or its marketplace's, whatever links lead there."""
        real = self.place.flat(path)
        return any(f"{real}/".startswith(f"{self.place.flat(place)}/") for place in (root, directory) if place)

    @staticmethod
    def _missing(path: str, scope: str, message: str, hint: str) -> ConfigFile:
        return ConfigFile(path, scope, supported=False, message=message, hint=hint, code="plugin-missing")

    @staticmethod
    def _refused(path: str, scope: str, message: str, hint: str) -> ConfigFile:
        return ConfigFile(path, scope, supported=False, message=message, hint=hint, code="config-refused")

    def _root(self, id: str, market: _Marketplace) -> str:
        """Return a plugin's directory; ``""`` if it is not installed."""
        if market.in_place:
            root = in_marketplace(market.catalog, market.entry, _object(self.text(market.catalog)))
            if root:
                return self._absolute(root)
        return self._installed(id)

    def _marketplace(self, id: str) -> _Marketplace:
        """Return the marketplace of a plugin; its directory is ``""`` if the user has not registered it."""
        name, _, marketplace = id.rpartition("@")
        registered = [self._read("known_marketplaces.json")]
        # A project's declaration counts once the user has agreed to it, which registers the marketplace.
        own = [root for file, root in reversed(self.settings) if file.scope != "project"]
        registered += [root["extraKnownMarketplaces"] for root in own if "extraKnownMarketplaces" in root]
        entries = [known[marketplace] for known in registered if isinstance(known, dict) and marketplace in known]
        in_place = next((path for entry in entries if (path := _directory(entry))), "")
        fetched = next((path for entry in entries if (path := _fetched(entry))), "")
        directory = self._absolute(in_place or fetched)
        catalog = f"{directory}/{CATALOG}" if directory else ""
        entry = _entry_of(_object(self.text(catalog)), name) if catalog else {}
        return _Marketplace(name, directory, catalog, entry, bool(in_place))

    def _absolute(self, path: str) -> str:
        """Return the absolute path of a directory; ``""`` for a text that can't be a path."""
        if "\0" in path or not path:
            return ""
        path = path.replace("\\", "/") if self.place.windows else path
        if not path.startswith("/") and path[1:2] != ":":
            path = f"{self.place.project_dir or self.place.cwd}/{path}"
        path, real = posixpath.normpath(path), self.place.flat(path)
        # A directory in the project has the project's scope, whatever link leads there.
        return real if self._scope(real) == "project" else path

    def _installed(self, id: str) -> str:
        """Return the directory of a plugin that is installed for this project or for the user, or ``""``."""
        plugins = self._read("installed_plugins.json").get("plugins")
        entries = plugins.get(id) if isinstance(plugins, dict) else None
        project = self.place.project_dir or self.place.cwd
        for entry in entries if isinstance(entries, list) else ():
            path = entry.get("installPath") if isinstance(entry, dict) else None
            if isinstance(path, str) and path and entry.get("projectPath", project) == project:
                root = self._absolute(path)
                if self.place.exists(root):
                    return root
        return ""

    def _read(self, name: str) -> Mapping[str, JSON]:
        """Return one of Claude Code's records of plugins and marketplaces."""
        path = self.place.join(self.user, "plugins", name)
        text = self.text(path)
        if text and not _object(text):
            self._unread(path, "it is not a JSON object")
        return _object(text)

    def text(self, path: str) -> str:
        """Return the text of a file, which is read once; report a file that exists and can't be read."""
        if path not in self._texts:
            self._texts[path] = self._text(path)
        return self._texts[path]

    def _text(self, path: str) -> str:
        directory, _, name = path.rpartition("/")
        if not self.place.exists(path) and name in self.place.names(directory):
            self._unread(path, "it is a broken symbolic link")
        try:
            return self.place.file_text(path)
        except (OSError, ValueError) as error:
            self._unread(path, message_of(error))
            return ""

    def _unread(self, path: str, why: str) -> None:
        message = f"{why}: hooks of plugins may be missing"
        hint = "repair the file, or remove it and install the plugins again (/plugin)"
        self.unreadable[path] = ConfigFile(
            path, self._scope(path), supported=False, message=message, hint=hint, code="config-unreadable"
        )

    def _scope(self, path: str) -> str:
        """Return the scope of a directory: "project" below the project, else "user"."""
        project = self.place.project_dir or self.place.cwd
        return "project" if f"{path}/".startswith(f"{project.rstrip('/')}/") else "user"

    def frontmatter(self, plugins: Mapping[str, str]) -> Iterator[ConfigFile]:
        """Yield the files with hooks in their frontmatter; these count at times only."""
        bases = {
            self.user: "user",
            **{self.place.join(directory, ".claude"): "project" for directory in self.place.directories()},
        }
        for base, scope in {**bases, **plugins}.items():
            for folder, (noun, when) in _FRONTMATTER.items():
                for path in self._marked(f"{base}/{folder}", folder == "skills"):
                    name = path.split("/")[-2 if folder == "skills" else -1].removesuffix(".md")
                    message = f"its hooks run only while the {noun} {name} {when}"
                    hint = f"to try them: --config {path} --dialect claude_code"
                    root = base if base in plugins else posixpath.dirname(path) if folder == "skills" else ""
                    yield ConfigFile(path, scope, message=message, hint=hint, plugin=root)

    def _marked(self, directory: str, nested: bool) -> Iterable[str]:
        for name in self.place.names(directory):
            path = f"{directory}/{name}/SKILL.md" if nested else f"{directory}/{name}"
            if path.endswith(".md") and _has_hooks(self.place.text(path)):
                yield path


def _has_hooks(text: str) -> bool:
    """Return whether the frontmatter of a Markdown file has a key ``hooks``."""
    head, _, rest = text.partition("\n")
    return head.rstrip() == "---" and any(line.startswith("hooks:") for line in rest.partition("\n---")[0].split("\n"))


class _Marketplace(NamedTuple):
    """A plugin's marketplace: its directory, its list of plugins, and the plugin's entry in the list."""

    name: str  # of the plugin
    directory: str
    catalog: str
    entry: Mapping[str, JSON]
    in_place: bool  # plugins are read from its directory, not from a copy


def _events_in(hooks: JSON) -> set[str]:
    """Return the events of an object of hooks, or of those in a list."""
    parts = hooks if isinstance(hooks, list) else [hooks]
    return {event for part in parts if isinstance(part, dict) for event in part}


def _directory(entry: JSON) -> str:
    """Return the path of a marketplace that is a directory; ``""`` for one that comes from elsewhere."""
    source = entry.get("source") if isinstance(entry, dict) else None
    path = source.get("path") if isinstance(source, dict) and source.get("source") == "directory" else None
    return path if isinstance(path, str) else ""


def _fetched(entry: JSON) -> str:
    """Return the directory into which a marketplace was fetched; ``""`` for one that was not."""
    path = entry.get("installLocation") if isinstance(entry, dict) else None
    return path if isinstance(path, str) else ""


def _entry_of(catalog: Mapping[str, JSON], name: str) -> Mapping[str, JSON]:
    """Return the entry of a plugin in a marketplace's list; ``{}`` if the list has none."""
    plugins = catalog.get("plugins")
    entries = [plugin for plugin in plugins if isinstance(plugin, dict)] if isinstance(plugins, list) else []
    return next((entry for entry in entries if entry.get("name") == name), {})


def in_marketplace(catalog: str, entry: Mapping[str, JSON], whole: Mapping[str, JSON] | None = None) -> str:
    """Return the directory of a plugin below its marketplace's; ``""`` for a plugin of another source.

    ``file_text``: the list; its ``metadata.pluginRoot`` is the directory of plugins whose source is a bare name.
    """
    source = entry.get("source")
    if not isinstance(source, str):
        return ""
    metadata = (whole or {}).get("metadata")
    base = metadata.get("pluginRoot") if isinstance(metadata, dict) else None
    if isinstance(base, str) and source and not source.startswith((".", "/")):
        source = f"./{base}/{source}"
    return f"{catalog.removesuffix(f'/{CATALOG}')}/{source}" if stays_inside(source) else ""


def _object(text: str) -> Mapping[str, JSON]:
    """Return a text as an object of JSON, ``{}`` for any other text: the loader of the file reports the mistake."""
    return object_of(text) or {}

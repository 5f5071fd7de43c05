"""The fuzz targets by name."""

from __future__ import annotations

from . import document_targets, pattern_targets, shell_targets, system_targets, text_targets
from .target import Target

TARGETS: dict[str, Target] = {
    target.name: target
    for module in (shell_targets, pattern_targets, text_targets, document_targets, system_targets)
    for target in module.TARGETS
}

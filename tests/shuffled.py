"""A plugin of pytest: ``-p tests.shuffled --shuffle SEED`` runs the files in a random order, and the tests of each too.

The workers of pytest-xdist all get the same order from the seed.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--shuffle``."""
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in the random order of this seed")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle."""
    seed = config.getoption("shuffle")
    if seed is None:
        return
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    chance = random.Random(seed)
    order = list(files.values())
    chance.shuffle(order)
    for tests in order:
        chance.shuffle(tests)
    items[:] = [item for tests in order for item in tests]

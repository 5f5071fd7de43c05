"""The guard matrix: every way in which a guard can be off, in every system, on every event that can be denied.

``expectations.toml`` says what must happen, from the contracts; ``faults*.py`` make each mishap and mend it; ``bench.py``
writes real config files and fires real events; ``judge.py`` compares; ``document.py`` writes docs/guards.md.
"""

"""What pyshellhooks promises, as data: cases with a rule, a source and an expected answer.

``cases/`` holds TOML files, ``case.py`` reads them, ``drivers.py`` runs one on something, ``runner.py`` runs many and
judges. ``pyshellhooks conformance`` is the door; in a wheel this package is ``pyshellhooks._conformance``.
"""

"""``python -m conformance``: the same as ``pyshellhooks conformance``, from a clone."""

import sys

from .runner import main

sys.exit(main())

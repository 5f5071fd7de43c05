"""``python -m pyshellhooks``."""

import sys

from .cli import main

sys.exit(main())

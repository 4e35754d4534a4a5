"""``python -m refold`` is the command ``refold``."""

import sys

from refold.cli import main

sys.exit(main())

"""How much of what takes long the tests do: a share where somebody waits for them, all of it in the long runs (soak/suite.py)."""

import os

LONG = bool(os.environ.get("MASTABA_LONG"))

"""Long runs over the tests' own tools: more seeds, more kill points, more rubbish, more matches than a test suite has time for.

Each part is a function of a share (1.0: all of it) that gives a row of figures; `wrong` lists what did not hold.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

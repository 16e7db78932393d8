"""The text that is posted into a process: the modules of ``resident``, one after the other.

The bridge does the same (``ResidentText``); a test holds the two together.
"""

import os
import re

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "resident")
BETWEEN_MODULES = re.compile(r"^from \.\w+ import (\([^)]*\)|[^\n(]*)\n", re.MULTILINE)


def posted(folder=FOLDER):
    """Without the imports between them: in the process they are one namespace."""
    modules = read(folder, "order.txt").split()
    return "".join(BETWEEN_MODULES.sub("", read(folder, name + ".py")) for name in modules)


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()

"""Compaction: storages that outlive steps move to the side that serves now, after the optimisation was switched in a
training that runs.

``phases`` calls ``Compaction.between`` at the end of a step where an agent is asked for it (``lacuna compact``, the verb
``compact``). ``plan`` decides what may move and why the rest stays, ``holders`` counts who refers to it, ``others`` looks at
threads and libraries, ``move`` exchanges a storage's memory, ``agent`` tells what came of it. What moves, and why nothing
else does: docs/compaction.md.
"""

import ctypes
import os
import sys

from .between import Compaction


def start(torch, is_the_scripts):
    """Who compacts in this process: to be called between two steps.

    :param is_the_scripts: whether an exception, by its traceback, comes from a signal handler of the script
    """
    compaction = Compaction(torch, ctypes.PyDLL(os.environ.get("LACUNA_TAKEN_OVER")))

    def between(marker):
        try:
            compaction.between(marker)
        except Exception as broken:
            if is_the_scripts(broken.__traceback__):
                raise
            compaction.give_up()
            sys.stderr.write("lacuna: nothing more is compacted: %r\n" % (broken,))

    return between

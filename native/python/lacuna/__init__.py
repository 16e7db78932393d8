"""Runs a PyTorch training script under Lacuna's memory agent.

``python3 -m lacuna [--capacity 8GiB] [--fraction F] [--optimisation on|off] SCRIPT args...``

The package only prepares the environment and starts the same interpreter again: the script neither imports nor
knows it. ``launch`` reads the command line, ``hook`` is put on the path of the new interpreter, ``phases`` marks
model set-up, forward passes and optimizer steps there.
"""

__version__ = "0.1.0"

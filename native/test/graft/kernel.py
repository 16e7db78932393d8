"""A notebook's kernel, as Jupyter starts one: kernel.py CONNECTION_FILE. Prints "ready" before it becomes that."""

import os
import sys

print("ready", flush=True)
os.execv(sys.executable, [sys.executable, "-m", "ipykernel_launcher", "-f", sys.argv[1]])

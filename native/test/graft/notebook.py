"""A notebook's front end: notebook.py CONNECTION_FILE. Each line of its standard input is a cell, as JSON; what the kernel prints
and how the cell ended are lines of JSON in turn. `null` shuts the kernel down."""

import json
import sys
import time

from jupyter_client import BlockingKernelClient

LIMIT_S = 240


def say(**what):
    print(json.dumps(what), flush=True)


def heard(message):
    if message["msg_type"] == "stream":
        say(kind="printed", text=message["content"]["text"])


def is_written(path):
    """Not every ipykernel writes it in one move."""
    try:
        with open(path) as file:
            return bool(json.load(file))
    except (FileNotFoundError, ValueError):
        return False


deadline = time.monotonic() + LIMIT_S
while not is_written(sys.argv[1]) and time.monotonic() < deadline:
    time.sleep(0.05)
client = BlockingKernelClient(connection_file=sys.argv[1])
client.load_connection_file()
client.start_channels()
client.wait_for_ready(timeout=LIMIT_S)
say(kind="ready")
for line in sys.stdin:
    cell = json.loads(line)
    if cell is None:
        client.shutdown(reply=True, timeout=LIMIT_S)
        break
    content = client.execute_interactive(cell, output_hook=heard, timeout=LIMIT_S)["content"]
    say(kind="ended", status=content["status"], raised=content.get("ename", ""), text=content.get("evalue", ""))
client.stop_channels()

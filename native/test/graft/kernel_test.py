"""Attaches to a notebook's kernel in which a cell trains, where TARGET_PYTHON has ipykernel; with TARGET_LIBRARIES on stand-ins for
CUDA's libraries. Started by run.sh."""

import json
import os
import signal
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import guest  # noqa: E402
from guest import PYTHON, Case, Connection, Target, until  # noqa: E402

guest.PATIENCE_S = 240  # a kernel imports much

LIBRARIES = os.environ.get("TARGET_LIBRARIES")
ON_DEVICE = {"LD_LIBRARY_PATH": LIBRARIES, "STANDIN_DEVICES": "1", "STANDIN_BYTES": str(1 << 30)} if LIBRARIES else {}

MODEL = """
import os, torch
torch.manual_seed(7)
torch.set_num_threads(1)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 64)).to(device)
optimizer = torch.optim.Adam(model.parameters())
data = [torch.randn(32, 64).to(device) for _ in range(8)]
step = 0
def train(over):
    global step
    while not over():
        optimizer.zero_grad()
        (model(data[step % 8]) - data[step % 8]).pow(2).mean().backward()
        optimizer.step()
        step += 1
def bits():
    return sum(p.detach().double().cpu().sum().item() for p in model.parameters()).hex()
print("made", flush=True)
"""


def has(what):
    return subprocess.run([PYTHON, "-c", what], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


class Notebook:
    """A kernel, and a front end that speaks with it."""

    def __init__(self, case, **extra):
        self.case = case
        places = {"IPYTHONDIR": "/nonexistent", "JUPYTER_RUNTIME_DIR": "/nonexistent"}  # nobody's own settings
        file = os.path.join(case.folder(), "connection.json")
        self.kernel = Target(case, file, script="kernel.py", PYTHONPATH="", **dict(places, **extra))
        self.front = subprocess.Popen(
            [PYTHON, os.path.join(HERE, "notebook.py"), file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, universal_newlines=True
        )
        case.addCleanup(self.close)
        case.assertEqual(self.heard()["kind"], "ready", self.kernel.error_text())

    def close(self):
        if self.front.poll() is None:
            self.front.kill()
        self.front.wait()
        self.front.stdin.close()
        self.front.stdout.close()

    def heard(self):
        line = self.front.stdout.readline()
        self.case.assertTrue(line, "the front end ended\n" + self.kernel.error_text())
        return json.loads(line)

    def begin(self, cell):
        self.front.stdin.write(json.dumps(cell) + "\n")
        self.front.stdin.flush()

    def ended(self):
        """(how the cell ended, what it printed)."""
        printed = ""
        while True:
            what = self.heard()
            if what["kind"] == "ended":
                return what["raised"] or what["status"], printed.strip()
            printed += what["text"]

    def run(self, cell):
        self.begin(cell)
        return self.ended()

    def interrupted(self):
        """How a cell ends that Jupyter's button interrupts."""
        self.begin("print('begun', flush=True)\ntrain(lambda: False)")
        self.case.assertIn("begun", self.heard()["text"])
        os.kill(self.kernel.pid, signal.SIGINT)
        return self.ended()[0]

    def shut_down(self):
        self.begin(None)
        return self.kernel.process.wait(timeout=guest.PATIENCE_S)


@unittest.skipUnless(has("import ipykernel, jupyter_client"), "needs ipykernel")
class Kernel(Case):
    def folder(self):
        import shutil
        import tempfile

        made = tempfile.mkdtemp(prefix="lacuna-graft-")
        self.addCleanup(shutil.rmtree, made, True)
        return made

    def visited(self, **extra):
        """A notebook that was attached to while a cell trained, and left again; the steps that it made, and its weights."""
        notebook, stop = Notebook(self, **extra), os.path.join(self.folder(), "stop")
        self.assertEqual(notebook.run(MODEL), ("ok", "made"))
        notebook.begin("train(lambda: os.path.exists(%r))\nprint(step, bits())" % stop)
        for _ in range(2):
            connection = notebook.kernel.attach()
            until(lambda c=connection: int(c.ask("get").get("step", 0)) >= 3, "steps are seen")
            self.assertGreater(int(connection.ask("get")["allocated_bytes"]), 0)
            notebook.kernel.detach(connection)
        with open(stop, "w"):
            pass
        ended, printed = notebook.ended()
        self.assertEqual(ended, "ok")
        steps, weights = printed.split()
        return notebook, int(steps), weights

    def check_that_it_is_as_before(self, notebook):
        self.assertEqual(notebook.interrupted(), "KeyboardInterrupt")
        self.assertEqual(notebook.run("print(6 * 7)"), ("ok", "42"))
        self.assertEqual(notebook.shut_down(), 0)
        self.assertNotIn("Traceback", notebook.kernel.error_text())

    def test_a_cell_computes_the_same_bits_and_the_kernel_can_still_be_interrupted(self):
        notebook, steps, weights = self.visited(CUDA_VISIBLE_DEVICES="", **ON_DEVICE)
        self.check_that_it_is_as_before(notebook)
        alone = Notebook(self, CUDA_VISIBLE_DEVICES="", **ON_DEVICE)
        self.assertEqual(alone.run(MODEL), ("ok", "made"))
        self.assertEqual(alone.run("train(lambda: step == %d)\nprint(step, bits())" % steps), ("ok", "%d %s" % (steps, weights)))
        self.assertEqual(alone.shut_down(), 0)

    @unittest.skipUnless(LIBRARIES, "needs PyTorch for CUDA, and stand-ins for its libraries")
    def test_a_cell_on_the_device_is_seen_and_the_kernel_can_still_be_interrupted(self):
        notebook, steps, _ = self.visited(**ON_DEVICE)
        self.assertGreater(steps, 3)
        self.check_that_it_is_as_before(notebook)

    def test_asked_while_it_is_idle_it_answers_with_the_next_cell_and_can_be_interrupted(self):
        notebook = Notebook(self, **ON_DEVICE)
        until(lambda: notebook.kernel.post()["code"] == "ok", "it is posted")
        self.assertEqual(notebook.run(MODEL), ("ok", "made"))
        connection = Connection(until(notebook.kernel.socket_path, "the text opens its socket"))
        notebook.begin("train(lambda: False)")
        until(lambda: int(connection.ask("get").get("step", 0)) >= 3, "steps are seen")
        os.kill(notebook.kernel.pid, signal.SIGINT)
        self.assertEqual(notebook.ended()[0], "KeyboardInterrupt")
        self.assertEqual(notebook.interrupted(), "KeyboardInterrupt")
        notebook.kernel.detach(connection)  # idle again
        self.check_that_it_is_as_before(notebook)


if __name__ == "__main__":
    unittest.main()

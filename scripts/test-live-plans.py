#!/usr/bin/env python3
"""Plans told to a real training from a checkout's command line, and clients killed in the middle of a change.

test-live-plans.py   needs PyTorch and Linux; prints "N passed, N failed" and exits with 1 when one failed

The training is told plan after plan while clients that change its policy and its swapping are killed while they talk to it.
Every other one finds the training stopped, so that its request is under way for sure; of the others those that are quick
end before. The training must go on and end with the losses and weights, to the bit, of the same training without an agent.
Starts 4 such clients; LACUNA_NIGHTLY=1 20.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LACUNA = os.path.join(ROOT, "lacuna")
NATIVE = os.path.join(ROOT, "native")
WORKLOADS = os.path.join(NATIVE, "test", "real", "swap_workloads.py")
PYTHON = os.environ.get("LACUNA_PYTHON", "/usr/bin/python3")
NIGHTLY = os.environ.get("LACUNA_NIGHTLY")
KILLED = 20 if NIGHTLY else 4
# A step takes about 0.4 s, by day 0.1 s, a client about 1 s; the training is held back where it would end too early.
MODEL, STEPS = ("gpt", 300) if NIGHTLY else ("small-gpt", 90)
PATIENCE = 120
METHODS = ("lacuna", "mindspeed")


class Training:
    """A GPT that makes a step whenever it is let; all of them when told to end."""

    def __init__(self, directory, *launcher):
        surroundings = dict(
            os.environ, LACUNA_DIR=directory, PYTHONPATH=os.path.join(NATIVE, "python"), OMP_NUM_THREADS="1",
            OPENBLAS_NUM_THREADS="1", LACUNA_LIBRARY=os.path.join(NATIVE, "build", "liblacuna_torch.so"),
        )  # fmt: skip
        self.process = subprocess.Popen(
            [PYTHON, *launcher, WORKLOADS, MODEL, str(STEPS), "--hold"], env=surroundings, universal_newlines=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.made, self.last = 0, ""
        self._reader = threading.Thread(target=self._go_on, daemon=True)
        self._reader.start()
        self.hurry = False

    def _go_on(self):
        for line in self.process.stdout:
            if line.startswith("step "):
                # The last ten steps wait until nobody changes anything any more.
                while self.made >= STEPS - 10 and not self.hurry:
                    time.sleep(0.05)
                self.made += 1
                self.process.stdin.write("\n")
                self.process.stdin.flush()
            else:
                self.last = line

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def connections(self):
        """How many clients talk to its agent: all ends of its socket but the one that listens."""
        with open("/proc/net/unix") as sockets:
            return sum("/%d-" % self.process.pid in line for line in sockets) - 1

    def steps_more(self, count=2):
        goal, end = min(self.made + count, STEPS - 10), time.monotonic() + PATIENCE
        while self.made < goal:
            assert self.process.poll() is None, "the training ended with %s" % self.process.returncode
            assert time.monotonic() < end, "the training stands still"
            time.sleep(0.02)

    def end(self):
        """Losses and weights, to the bit."""
        self.hurry = True
        assert self.process.wait(PATIENCE + 2 * STEPS) == 0  # on a machine with other work a step takes over a second
        self._reader.join(PATIENCE)
        told = json.loads(self.last)
        return told["losses"], told["weights"]


class Client:
    """The command line, as a process group of its own."""

    def __init__(self, directory, *words):
        self.words = words
        self.process = subprocess.Popen(
            [LACUNA, *words], env=dict(os.environ, LACUNA_DIR=directory, LC_ALL="C.UTF-8"),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip

    def document(self):
        out, err = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, "%s: %s" % (self.words, err.decode())
        return json.loads(out)

    def kill_while_it_talks(self, training):
        """Whether it had a connection to the training when it was killed."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, "%s does not end" % (self.words,)
            if training.connections():
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.communicate()
                return self.process.returncode == -signal.SIGKILL
        self.process.communicate()
        return False


passed, failed = [], []


def check(name, condition, *told):
    (passed if condition else failed).append(name)
    if not condition:
        print("FAILED: %s %s" % (name, told), flush=True)


def plans_hold(directory, training, pid):
    """What the planners say of the living process, and that the one that is applied holds in it."""
    document = Client(directory, "plan", pid, "--method", ",".join(METHODS), "--json").document()
    check("a process is planned by its measured layers", document["kind"] == "layers")
    fits = [point for point in document["points"] if "overhead" in point]
    check("every plan leaves the spare of its limit",
          fits and all(p["peak_bytes"] + p["spare_bytes"] <= p["budget_bytes"] and p["spare_bytes"] > 0 for p in fits), fits)  # fmt: skip
    budget = str(int(0.75 * document["plain_peak_bytes"]))
    for method in METHODS:
        applied = Client(directory, "plan", pid, "--budget", budget, "--method", method, "--apply", "--json").document()
        letters = applied["output"].strip()
        training.steps_more()
        told = Client(directory, "layers", pid, "--json").document()
        check("the layers do what %s planned" % method, told["policy"] == letters, letters, told["policy"])
        check("and something moves or is made again", set(letters) != {"K"}, letters)
        does = "".join(layer["does"][0].upper() for layer in told["layers"])
        check("each as it was asked", all(done == letter or layer["why"] for done, letter, layer in zip(does, letters, told["layers"])), does)
    return budget


def clients_die(directory, training, pid, budget):
    changes = [
        ("set", pid, "--swap", "all"), ("plan", pid, "--budget", budget, "--method", "lacuna", "--apply"),
        ("set", pid, "--swap", "on", "--swap-budget", "512MiB"), ("set", pid, "optimisation=off"),
    ]  # fmt: skip
    died = {False: 0, True: 0}
    for n in range(KILLED):
        # Each change in turn, with the training at work and with it stopped.
        change, stopped = changes[n // 2 % len(changes)], n % 2 == 1
        if stopped:
            training.stop()
        died[stopped] += Client(directory, *change).kill_while_it_talks(training)
        if stopped:
            training.go_on()
        training.steps_more()
    check("clients died while they waited for an answer", died[True] == KILLED // 2, died)
    told = Client(directory, "layers", pid, "--json").document()
    check("the process still answers", told["pid"] == int(pid))
    held = Client(directory, "set", pid, "--swap", "on", "--json").document()["holds"]
    check("and takes a change", held["swap"] == "on", held)
    print("  killed while they talked: %d of %d, and %d of %d with the training stopped"
          % (died[False], KILLED // 2, died[True], KILLED // 2), flush=True)  # fmt: skip


def main():
    if subprocess.call([PYTHON, "-c", "import torch"], stderr=subprocess.DEVNULL):
        print("skipped: %s has no torch" % PYTHON)
        return
    subprocess.run([LACUNA, "--version"], stdout=subprocess.DEVNULL, check=True)  # builds what a change left stale
    with tempfile.TemporaryDirectory(prefix="lacuna-live-") as directory:
        training = Training(directory, "-m", "lacuna", "--capacity", "1GiB", "--swap", "on", "--link", "24GB/s,10us")
        try:
            training.steps_more()
            pid = str(training.process.pid)
            budget = plans_hold(directory, training, pid)
            clients_die(directory, training, pid, budget)
            changed = training.end()
        finally:
            training.process.kill()
        alone = Training(directory)
        check("the training ends as it would have without any of it", alone.end() == changed)
    print("%d passed, %d failed" % (len(passed), len(failed)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

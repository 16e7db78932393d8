"""What attaching costs a training, printed as ratios; decides nothing.

usage: attach_cost.py [ATTACHES [WINDOWS]]     $TARGET_PYTHON names the trainer's Python, which has PyTorch; $TARGET_LIBRARIES a folder of
stand-ins for CUDA's libraries

Click to first sample: from the call of lacuna-graft to the first record in the telemetry file, attached to a trainer that is
busy. The cost of watching: windows of a second by turns, attached and not, in one process.
"""

import mmap
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "test", "graft"))

import guest  # noqa: E402

ATTACHES = int(sys.argv[1]) if len(sys.argv) > 1 else 100
WINDOWS = int(sys.argv[2]) if len(sys.argv) > 2 else 30
TRAINER = """
import mmap, sys
file = open(sys.argv[1], "r+b")
count = memoryview(mmap.mmap(file.fileno(), 8)).cast("Q")
import torch
torch.set_num_threads(1)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Sequential(*[torch.nn.Linear(128, 128) for _ in range(4)]).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
data = torch.randn(64, 128).to(device)
def step():
    model(data).pow(2).mean().backward()
    optimizer.step()
    optimizer.zero_grad()
step()
print("ready", flush=True)
while True:
    step()
    count[0] += 1
"""


class Busy(guest.Target):
    """As the tests start them, without a test."""

    def __init__(self, folder):
        self.directory, self.rendezvous = folder, os.path.join(folder, "rendezvous")
        path = os.path.join(folder, "steps")
        with open(path, "wb") as file:
            file.write(bytes(8))
        with open(os.path.join(folder, "trainer.py"), "w") as file:
            file.write(TRAINER)
        with open(path, "r+b") as file:
            self.count = memoryview(mmap.mmap(file.fileno(), 8)).cast("Q")
        environment = dict(os.environ)
        if os.environ.get("TARGET_LIBRARIES"):
            environment.update(LD_LIBRARY_PATH=os.environ["TARGET_LIBRARIES"], STANDIN_BYTES=str(1 << 30))
        self.process = subprocess.Popen(
            [guest.PYTHON, os.path.join(folder, "trainer.py"), path], stdout=subprocess.PIPE, env=environment, universal_newlines=True
        )  # fmt: skip
        self.pid = self.process.pid
        self.process.stdout.readline()

    def first_sample(self):
        """Seconds until the first record, and the report. The text is made before, as the program does once."""
        path = os.path.join(self.directory, "text.py")
        begun = time.monotonic()
        report = guest.program("run", str(self.pid), path)
        if report["code"] != "ok":
            raise SystemExit("attach_cost: %s" % report)
        while not self._has_record():
            time.sleep(0.0005)
        return time.monotonic() - begun, report["stopped_ns"]

    def _has_record(self):
        try:
            data = self.telemetry().data
        except (IndexError, OSError):
            return False
        if len(data) < 1032:
            return False
        return struct.unpack_from("<Q", data, 1024)[0] >= 2

    def steps_a_second(self, seconds):
        before, begun = self.count[0], time.monotonic()
        time.sleep(seconds)
        return (self.count[0] - before) / (time.monotonic() - begun)


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main():
    with tempfile.TemporaryDirectory() as folder:
        busy = Busy(folder)
        try:
            with open(os.path.join(folder, "text.py"), "w") as file:
                file.write(busy.text())
            measure(busy)
        finally:
            busy.process.kill()
            busy.process.wait()
            busy.process.stdout.close()


def measure(busy):
    first, stops = [], []
    for _ in range(ATTACHES):
        seconds, stopped_ns = busy.first_sample()
        first.append(seconds)
        stops.append(stopped_ns / 1e6)
        busy.detach(guest.Connection(guest.until(busy.socket_path, "its socket")))
    print("click to first sample, %d attaches: median %.0f ms, p95 %.0f ms, most %.0f ms" % (
        ATTACHES, 1e3 * statistics.median(first), 1e3 * quantile(first, 0.95), 1e3 * max(first)))  # fmt: skip
    print("stopped: median %.2f ms, p95 %.2f ms, most %.2f ms" % (statistics.median(stops), quantile(stops, 0.95), max(stops)))
    alone, watched, after = [], [], []
    for _ in range(WINDOWS):
        alone.append(busy.steps_a_second(1))
        connection = busy.attach()
        time.sleep(0.5)
        watched.append(busy.steps_a_second(1))
        busy.detach(connection)
        time.sleep(0.2)
        after.append(busy.steps_a_second(1))
    ratios = [a / w for a, w in zip(alone, watched)]
    control = [a / b for a, b in zip(alone, after)]
    print("a step while watched at 20 Hz, against the window before: median x%.4f (two windows without: x%.4f)" % (
        statistics.median(ratios), statistics.median(control)))  # fmt: skip


if __name__ == "__main__":
    main()

"""What attaching costs a training, printed as ratios; decides nothing.

usage: attach_cost.py [ATTACHES [WINDOWS [RECORDS]]]     $TARGET_PYTHON names the trainer's Python, which has PyTorch; $TARGET_LIBRARIES a folder of
stand-ins for CUDA's libraries

Click to first sample: from the call of lacuna-graft to the first record in the telemetry file, attached to a trainer that is
busy. The cost of watching: windows of a second by turns, attached and not, in one process: what the thread takes that came by attaching;
processor time and time of a step in each window that was attached against the mean of the two beside it, and, to tell the noise, of each
that was not against the mean of those nearest.
First stacks: from `record steps=1` to the moment when it says that it is done, with a file whose frames name the trainer.
"""

import mmap
import os
import pickle
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
RECORDS = int(sys.argv[3]) if len(sys.argv) > 3 else 20
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
        self.refused, self.again = os.path.join(folder, "refused"), 0
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
        with open(os.path.join(folder, "errors"), "w") as self.errors:
            self.process = subprocess.Popen(
                [guest.PYTHON, os.path.join(folder, "trainer.py"), path], stdout=subprocess.PIPE, stderr=self.errors, env=environment,
                universal_newlines=True,
            )  # fmt: skip
        self.pid = self.process.pid
        self.process.stdout.readline()

    def first_sample(self):
        """Seconds until the first record, and the report. The text is made before, as the program does once."""
        path = os.path.join(self.directory, "text.py")
        begun = time.monotonic()
        report = guest.program("run", str(self.pid), path)
        while report["code"] == "busy":  # a thread got no turn in time, on a machine that is full: nothing was touched
            self.again += 1
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

    def processor_ns(self):
        """Of all its threads, those that have ended too; the kernel's clock of another process."""
        return time.clock_gettime_ns((~self.pid << 3) | 2)

    def threads(self):
        return set(os.listdir("/proc/%d/task" % self.pid))

    def own_ns(self, threads):
        """Processor time of those threads."""
        found = 0
        for thread in threads:
            with open("/proc/%d/task/%s/schedstat" % (self.pid, thread)) as file:
                found += int(file.read().split()[0])
        return found

    def a_step(self, seconds):
        """(processor time, time) of a step in ns, over so many seconds."""
        count, processor, begun = self.count[0], self.processor_ns(), time.monotonic_ns()
        time.sleep(seconds)
        steps = max(1, self.count[0] - count)
        return (self.processor_ns() - processor) / steps, (time.monotonic_ns() - begun) / steps

    def first_stacks(self, connection):
        """Seconds; None where it cannot record."""
        path = os.path.join(self.directory, "recorded.pickle")
        begun = time.monotonic()
        if connection.ask("record steps=1 path=" + path)[""] != "ok":
            return None
        while connection.ask("record")["done"] != "yes":
            time.sleep(0.002)
        seconds = time.monotonic() - begun
        with open(path, "rb") as file:
            traces = pickle.load(file)["device_traces"]
        if not any("trainer.py" in f["filename"] for trace in traces for entry in trace for f in entry.get("frames", ())):
            raise SystemExit("attach_cost: no stacks were recorded")
        return seconds


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


def versions():
    told = "import sys, torch; print(sys.version.split()[0], torch.__version__)"
    libraries = os.environ.get("TARGET_LIBRARIES")
    return subprocess.run(
        [guest.PYTHON, "-c", told], check=True, stdout=subprocess.PIPE, universal_newlines=True,
        env=dict(os.environ, LD_LIBRARY_PATH=libraries) if libraries else None,
    ).stdout.split()  # fmt: skip


def measure(busy):
    began = os.getloadavg()
    first, stops = [], []
    for _ in range(ATTACHES):
        seconds, stopped_ns = busy.first_sample()
        first.append(seconds)
        stops.append(stopped_ns / 1e6)
        busy.detach(guest.Connection(guest.until(busy.socket_path, "its socket")))
    print("Python %s, PyTorch %s; load averages %.1f %.1f %.1f when it began" % (*versions(), *began))
    print("click to first sample, %d attaches: median %.0f ms, p95 %.0f ms, most %.0f ms" % (
        ATTACHES, 1e3 * statistics.median(first), 1e3 * quantile(first, 0.95), 1e3 * max(first)))  # fmt: skip
    print("asked again because a thread got no turn: %d times, which is in the figures" % busy.again)
    print("stopped: median %.2f ms, p95 %.2f ms, most %.2f ms" % (statistics.median(stops), quantile(stops, 0.95), max(stops)))
    measure_watching(busy)
    measure_recording(busy)


def measure_watching(busy):
    alone, watched, own = [busy.a_step(1)], [], []
    for _ in range(WINDOWS):
        before = busy.threads()
        connection = busy.attach()
        time.sleep(0.5)
        come = busy.threads() - before
        begun, taken = time.monotonic_ns(), busy.own_ns(come)
        watched.append(busy.a_step(1))
        own.append(100 * (busy.own_ns(come) - taken) / (time.monotonic_ns() - begun))
        busy.detach(connection)
        time.sleep(0.2)
        alone.append(busy.a_step(1))
    print("the guest's own thread takes %s %% of a processor (median, quartiles; %d windows)" % (quartiles(own), WINDOWS))
    for number, what in enumerate(("processor time", "time")):
        free, seen = [window[number] for window in alone], [window[number] for window in watched]
        print("%s of a step: free %s us, watched at 20 Hz %s us" % (what, quartiles(free, 1e-3), quartiles(seen, 1e-3)))
        print("    watched against its neighbours %s; free against the free ones nearest %s" % (
            quartiles([2 * w / (a + b) for a, w, b in zip(free, seen, free[1:])]),
            quartiles([2 * w / (a + b) for a, w, b in zip(free, free[1:], free[2:])])))  # fmt: skip


def quartiles(values, unit=1.0):
    return "%.4g (%.4g to %.4g)" % tuple(unit * quantile(values, share) for share in (0.5, 0.25, 0.75))


def measure_recording(busy):
    connection = busy.attach()
    guest.until(lambda: int(connection.ask("get").get("step", 0)) > 2, "steps are seen")
    found = [busy.first_stacks(connection) for _ in range(RECORDS)]
    if None in found:
        print("first stacks: there is no accelerator whose allocations could be recorded")
    elif found:
        print("first stacks after record, %d times: median %.0f ms, most %.0f ms" % (
            RECORDS, 1e3 * statistics.median(found), 1e3 * max(found)))  # fmt: skip
    busy.detach(connection)


if __name__ == "__main__":
    main()

"""The front before torch_npu's allocator. Neither an NPU nor torch_npu is here: one of the tests stands in (native/test/npu), built
for the PyTorch that LACUNA_CUDA_PYTHON names, on the stand-in of AscendCL."""

import atexit
import os
import shutil
import subprocess
import tempfile
import unittest

import watcher
from case import HERE, NATIVE, Case

MIB = 1 << 20
ASCENDCL = os.path.join(NATIVE, "build", "standin")
STANDIN = os.path.join(os.path.dirname(HERE), "npu")

TRAINING = """
    import sys
    import torch, torch_npu
    from torch_npu import npu
    kept = [npu.empty(3 << 20) for _ in range(4)]
    for step in range(int(sys.argv[1]) if sys.argv[1:] else 3):
        held = [npu.empty((7 + n) << 18) for n in range(12)]
        for tensor in held:
            tensor.record_stream(torch.Stream(device="npu:0"))
            npu.ask("npu_collective", tensor)
            assert npu.ask("npu_is_safe", tensor)
        del held, tensor
        if sys.argv[2:]:
            print("step", step, flush=True)
            input()
    npu.synchronize()
    npu.empty_cache()
    print(npu.memory_allocated(), npu.problems())
"""


class Built:
    """The stand-in and the front for it: once a run."""

    folder = None

    @classmethod
    def get(cls, case):
        if cls.folder is None:
            cls.folder = tempfile.mkdtemp(prefix="lacuna-npu-")
            atexit.register(shutil.rmtree, cls.folder, True)
            done = case.run_plain([os.path.join(STANDIN, "build.py"), cls.folder, ASCENDCL], **case.libraries())
            case.assertEqual(done.returncode, 0, done.stderr)
            started = case.run_under([case.script("from torch_npu import npu; npu.init()")], **case.setting(cls.folder))
            case.assertRegex(started.stderr, r"\Alacuna: compiling for PyTorch [^\n]*npu[^\n]*\n\Z")
        return cls.folder


@unittest.skipUnless(os.environ.get("LACUNA_CUDA_PYTHON"), "LACUNA_CUDA_PYTHON names no Python with a PyTorch of 2.3 or later")
class NpuFront(Case):
    limit_seconds = 300  # importing such a PyTorch takes a while
    python = os.environ.get("LACUNA_CUDA_PYTHON", "")

    def libraries(self):
        # Beside the stand-in of Ascend's library the agent's own tests may have left one of CUDA's driver: PyTorch's comes first.
        return dict(LD_LIBRARY_PATH=":".join(filter(None, (os.environ.get("LACUNA_CUDA_LIBRARIES"), ASCENDCL))))

    def setting(self, built, **extra):
        path = ":".join((os.path.join(NATIVE, "python"), STANDIN))
        return dict(self.libraries(), PYTHONPATH=path, STANDIN_NPU=built, LACUNA_EXTENSIONS=built, STANDIN_BYTES=str(512 * MIB), **extra)

    def setUp(self):
        super().setUp()
        subprocess.run(["make", "-s", "-C", NATIVE, os.path.join("build", "standin", "libascendcl.so")], check=True)
        self.built = Built.get(self)

    def ours(self, text, switch="on", *options):
        done = self.run_under([self.script(text)], ("--optimisation", switch, *options), **self.setting(self.built))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def stock(self, text):
        done = self.run_plain([self.script(text)], **self.setting(self.built))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_off_is_torch_npu_itself(self):
        text = """
            from torch_npu import npu
            a, b = npu.empty(5 << 20), npu.empty(1 << 20)
            del a
            print(npu.memory_stats(), npu.memory.segments(), npu.torch_npu.library.npu_cached(0))
        """
        self.assertEqual(self.ours(text, "off").stdout, self.stock(text))

    def test_on_the_agent_serves_and_everything_goes_back(self):
        done = self.ours(
            """
            from torch_npu import npu
            a = npu.empty(5 << 20)
            print(npu.memory.segments()[1], npu.memory_allocated(), npu.ask("npu_base", a))
            del a
            print(npu.memory_allocated(), npu.memory_reserved() > 0, npu.torch_npu.library.npu_cached(0) > 0)
            npu.torch_npu.library.npu_free_device(0)
            print(npu.memory_reserved(), npu.problems())
            """
        )
        self.assertEqual((done.stdout, done.stderr), ("%d %d %d\n0 True True\n0 \n" % (5 * MIB, 5 * MIB, 5 * MIB), ""))

    def test_streams_and_collectives_are_as_without_us(self):
        for switch in ("off", "on"):
            done = self.ours(TRAINING, switch)
            self.assertEqual((done.stdout, done.stderr), ("%d \n" % (12 * MIB), "") if switch == "on" else (self.stock(TRAINING), ""))

    def test_private_pools_are_torch_npus(self):
        done = self.ours(
            """
            from torch_npu import npu
            first = npu.empty(4 << 20)
            npu.torch_npu.library.npu_begin_pool(0)
            inside = npu.empty(4 << 20)
            between = npu.memory.segments()[1]
            npu.torch_npu.library.npu_end_pool(0)
            after = npu.empty(4 << 20)
            npu.ask("npu_collective", inside)
            print(between >> 20, npu.memory.segments()[1] >> 20, npu.memory_allocated() >> 20)
            """
        )
        self.assertEqual(done.stdout, "4 8 12\n")

    def test_an_out_of_memory_is_torch_npus_with_all_figures(self):
        done = self.ours(
            """
            import torch
            from torch_npu import npu
            held = npu.empty(100 << 20)
            npu.torch_npu.library.npu_observe()
            try:
                npu.empty(600 << 20)
            except torch.OutOfMemoryError as failed:
                print(str(failed).split("\\n")[0])
            print(npu.torch_npu.library.npu_observed(), npu.memory_stats()["num_ooms"])
            npu.empty(300 << 20)
            """
        )
        told, counts = done.stdout.splitlines()
        self.assertIn("NPU out of memory. Tried to allocate 600.00 MiB (NPU 0; 512.00 MiB total capacity; 100.00 MiB already allocated; 100.00 MiB current active;", told)
        self.assertRegex(told, r"10\d\.00 MiB reserved in total by PyTorch\)")
        self.assertEqual(counts, "1 1")

    def test_one_cap_holds_for_both(self):
        done = self.ours(
            """
            import torch
            from torch_npu import npu
            npu.init()
            npu.memory.set_per_process_memory_fraction(0.5)
            held = npu.empty(200 << 20)
            npu.torch_npu.library.npu_begin_pool(0)
            try:
                npu.empty(100 << 20)
            except torch.OutOfMemoryError:
                print("refused", npu.memory.get_per_process_memory_fraction())
            npu.torch_npu.library.npu_end_pool(0)
            del held
            npu.torch_npu.library.npu_begin_pool(0)
            print(npu.empty(240 << 20).numel() >> 20)
            """
        )
        self.assertEqual(done.stdout, "refused 0.5\n240\n")

    def test_what_the_agent_cannot_do_is_refused_or_left_to_torch_npu(self):
        done = self.ours(
            """
            from torch_npu import npu
            block = npu.empty(4 << 20)
            try:
                npu.ask("npu_share", block)
            except RuntimeError as refused:
                print(refused)
            npu.torch_npu.library.npu_zero_copy()
            later = npu.empty(4 << 20)
            print(npu.memory.segments()[1] >> 20)
            """
        )
        self.assertRegex(done.stdout, r"\ALacuna's NPU memory cannot be opened by another process; [^\n]*\n4\n\Z")
        self.assertRegex(done.stderr, r"Lacuna serves no device memory from now on: HCCL registers")

    def test_the_switch_is_live_and_what_torch_npu_holds_is_told(self):
        process = self.start_under([self.script(TRAINING), "4", "hold"], ("--optimisation", "off"), **self.setting(self.built))
        self.assertEqual(process.stdout.readline(), "step 0\n")
        (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"), self.limit_seconds)
        control = watcher.Control(socket)
        self.addCleanup(control.close)
        self.assertEqual(watcher.values(control.ask("get"))["allocated_bytes"], 16 * MIB)
        self.assertIn(" optimisation=on ", control.ask("set optimisation=on") + " ")
        for step in (1, 2):
            process.stdin.write("\n")
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), "step %d\n" % step)
        self.assertGreater(watcher.values(control.ask("get"))["reserved_bytes"], 16 * MIB)
        out, err = process.communicate("\n\n", timeout=self.limit_seconds)
        self.assertEqual((process.returncode, err, out.splitlines()[-1].split()[1:]), (0, "", []))

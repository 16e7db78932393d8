"""The Python package in front of device memory, with a PyTorch 2.x that only does what the package touches and the
stand-in driver. usage: cases.py FOLDER_OF_THE_STAND_IN"""

import _ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.dirname(os.path.dirname(HERE))
LIBRARY = os.environ.get("LACUNA_LIBRARY", os.path.join(NATIVE, "build", "liblacuna_torch.so"))
STAND_IN = os.path.abspath(sys.argv.pop(1))
LIMIT_SECONDS = 60

ALLOCATE = """
    import ctypes
    import torch
    torch.cuda._lazy_init()
    current = torch._C.state["allocator"]
    if current is not None:
        new = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p)(current.alloc)
        old = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p)(current.free)
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="lacuna-plug-")
        self.addCleanup(shutil.rmtree, self.directory, True)

    def run_script(self, text, prelude=ALLOCATE, driver=True, **extra):
        path = os.path.join(self.directory, "script.py")
        with open(path, "w") as file:
            file.write(textwrap.dedent(prelude) + textwrap.dedent(text))
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("LACUNA_", "LD_", "MEMORY_"))}
        inherited.update(
            PYTHONPATH=os.path.join(HERE, "fake"), PYTHONDONTWRITEBYTECODE="1", LACUNA_LIBRARY=LIBRARY,
            LACUNA_DIR=os.path.join(self.directory, "rendezvous"), STANDIN_BYTES=str(256 << 20), LACUNA_DOOR="pluggable",
        )  # fmt: skip
        if driver:
            inherited["LD_LIBRARY_PATH"] = STAND_IN
        inherited.update(extra)
        inherited["PYTHONPATH"] = os.path.join(NATIVE, "python") + ":" + inherited["PYTHONPATH"]
        done = subprocess.run(
            [sys.executable, "-m", "lacuna", path], env=inherited, timeout=LIMIT_SECONDS, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip
        self.assertEqual(0, done.returncode, done.stderr)
        return done


class DeviceMemory(Case):
    def test_without_a_front_it_is_behind_the_pluggable_allocator_and_says_what_that_lacks(self):
        done = self.run_script("assert current is not None", LACUNA_DOOR="")
        (line,) = done.stderr.splitlines()
        self.assertRegex(line, "behind CUDAPluggableAllocator, where MemPools, .* do not work: libc10_cuda.so is not loaded")

    def test_is_taken_before_pytorch_starts_its_own_allocator(self):
        done = self.run_script(
            """
            assert current is not None and torch._C.state["initialised"]
            assert len(torch._C.state["hooks"]) == 8, torch._C.state["hooks"]
            block = new(3 << 20, 0, None)
            assert block
            old(block, 3 << 20, 0, None)
            old(new(0, 0, None), 0, 0, None)
            """
        )
        self.assertEqual("", done.stderr)

    def test_has_pytorchs_statistics(self):
        self.run_script(
            """
            import lacuna
            assert torch.cuda.memory_stats()["segment.all.peak"] == 0
            small, large = new(1000, 0, None), new(3 << 20, 0, None)
            old(new(5 << 20, 0, None), 5 << 20, 0, None)
            stats = torch.cuda.memory_stats()
            assert stats == dict(lacuna.memory_stats()) == dict(lacuna.memory_stats("cuda:0")), stats
            assert stats["allocated_bytes.all.current"] == 1024 + (3 << 20)
            assert stats["allocated_bytes.all.peak"] == 1024 + (8 << 20)
            assert stats["allocated_bytes.large_pool.freed"] == 5 << 20
            assert stats["requested_bytes.small_pool.current"] == 1000
            assert stats["allocation.all.allocated"] == 3 and stats["active.all.current"] == 2
            assert stats["reserved_bytes.all.current"] >= stats["allocated_bytes.all.current"]
            assert lacuna.max_memory_allocated() == 1024 + (8 << 20)
            assert stats["segment.small_pool.current"] == 1 and stats["reserved_bytes.small_pool.peak"] == 2 << 20
            assert stats["inactive_split_bytes.small_pool.current"] == (2 << 20) - 1024
            assert stats["num_device_alloc"] >= 2 and stats["max_split_size"] == -1
            lacuna.reset_peak_memory_stats()
            assert lacuna.max_memory_allocated() == lacuna.memory_allocated() == 1024 + (3 << 20)
            assert lacuna.memory_stats("cuda:0")["active_bytes.all.peak"] == 1024 + (3 << 20)
            """
        )

    def test_has_every_key_of_version_2(self):
        """Those that torch.cuda.memory_stats() documents and memory_summary() reads, 2.0 to 2.7."""
        self.run_script(
            """
            import lacuna
            figures = ("allocation", "segment", "active", "inactive_split", "allocated_bytes", "reserved_bytes",
                       "active_bytes", "inactive_split_bytes", "requested_bytes")
            ways = ("current", "peak", "allocated", "freed")
            keys = {"%s.%s.%s" % (f, p, w) for f in figures for p in ("all", "large_pool", "small_pool") for w in ways}
            keys |= {"%s.%s" % (f, w) for f in ("oversize_allocations", "oversize_segments") for w in ways}
            keys |= {"num_alloc_retries", "num_ooms", "num_sync_all_streams", "num_device_alloc", "num_device_free",
                     "max_split_size"}
            for tensors in range(2):
                assert set(torch.cuda.memory_stats()) == set(lacuna.memory_stats()) == keys
                new(1000, 0, None)
            """
        )

    def test_follows_the_hooks(self):
        self.run_script(
            """
            import lacuna
            hook = torch._C.state["hooks"]
            block = new(3 << 20, 0, None)
            size = ctypes.c_size_t()
            base = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(hook["set_base_alloc_fn"])
            assert base(block, ctypes.addressof(size)) == block and size.value == 3 << 20
            record = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(hook["set_record_stream_fn"])
            record(block, 7)
            old(block, 3 << 20, 0, None)
            ctypes.PYFUNCTYPE(None)(hook["set_reset_fn"])()
            assert lacuna.memory_reserved() == 0, lacuna.memory_summary()
            ctypes.PYFUNCTYPE(None, ctypes.c_double, ctypes.c_int)(hook["set_memory_fraction_fn"])(0.5, 0)
            """
        )

    def test_stays_with_pytorch_and_says_why_in_one_line(self):
        done = self.run_script("assert current is None", driver=False)
        self.assertEqual("lacuna: CUDA memory stays with PyTorch's own allocator: there is no libcuda.so.1\n", done.stderr)

    def test_stays_with_pytorch_where_that_is_too_old(self):
        old = """
            import torch
            del torch.cuda.memory.CUDAPluggableAllocator
            torch.__version__ = "1.13.1"
            torch.cuda._lazy_init()
            assert torch._C.state["initialised"]
        """
        done = self.run_script("", prelude=old)
        self.assertEqual(1, done.stderr.count("\n"), done.stderr)
        self.assertIn("PyTorch 1.13.1 cannot change its allocator", done.stderr)

    def test_is_not_touched_by_a_script_that_never_uses_a_device(self):
        done = self.run_script("", prelude="import torch, lacuna\nassert torch._C._cuda_init.__name__ == 'once'\n")
        self.assertEqual("", done.stderr)


# Host tensors as PyTorch asks for them; some library plays the one that a build for CUDA brings.
HOST = """
    import ctypes, os
    c10 = ctypes.CDLL(None)
    alloc, free = c10["_ZN3c109alloc_cpuEm"], c10["_ZN3c108free_cpuEPv"]
    alloc.restype, alloc.argtypes, free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
    def agents():
        return c10.lacuna_process_agents(None, 0)
"""
BUILT_FOR_CUDA = "    framework = ctypes.CDLL(os.environ['FRAMEWORK'])\n"


class HostMemory(Case):
    """Of a pretended capacity of 64 MiB; 200 MiB are a checkpoint that is loaded before it goes to the GPU."""

    def run_host(self, text, built_for_cuda=True, **extra):
        framework = os.path.join(self.directory, "libc10_cuda.so.2.6")
        shutil.copy(_ctypes.__file__, framework)
        prelude = HOST + BUILT_FOR_CUDA * built_for_cuda
        return self.run_script(text, prelude=prelude, FRAMEWORK=framework, LACUNA_CAPACITY="64MiB", **extra)

    BIG = """
        block = alloc(200 << 20)
        assert block and agents() == 0
        free(block)
    """

    def test_is_pytorchs_own_where_it_trains_on_a_gpu(self):
        done = self.run_host(self.BIG)
        self.assertEqual("", done.stderr)

    def test_is_a_device_where_there_is_no_driver(self):
        done = self.run_host("block = alloc(1 << 20)\nassert agents() == 1\nfree(block)", driver=False)
        self.assertEqual("", done.stderr)

    def test_is_a_device_where_pytorch_was_built_for_the_host(self):
        self.run_host("block = alloc(1 << 20)\nassert agents() == 1\nfree(block)", built_for_cuda=False)

    def test_is_a_device_where_the_gpus_are_hidden(self):
        for hidden in ("", "-1"):
            self.run_host("alloc(1 << 20)\nassert agents() == 1", CUDA_VISIBLE_DEVICES=hidden)
        self.run_host(self.BIG, CUDA_VISIBLE_DEVICES="0")

    def test_is_pytorchs_own_from_the_first_block_of_a_gpu_on(self):
        self.run_host(
            """
            before = alloc(48 << 20)
            assert agents() == 1
            new = ctypes.PyDLL(None).lacuna_torch_malloc
            new.restype, new.argtypes = ctypes.c_void_p, [ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
            assert new(1 << 20, 0, None) and agents() == 2
            after = alloc(200 << 20)
            assert after
            free(before)
            free(after)
            """,
            built_for_cuda=False,
        )

    def test_is_pytorchs_own_once_a_later_import_tells_of_an_accelerator(self):
        self.run_host(
            """
            before = alloc(1 << 20)
            assert agents() == 1
            c10.lacuna_process_stand_aside()
            after = alloc(200 << 20)
            assert after
            free(before)
            free(after)
            """,
            built_for_cuda=False,
        )


class Phases(Case):
    def test_are_marked_in_the_way_that_version_2_calls_and_steps(self):
        self.run_script(
            """
            import lacuna.memory
            def told(name):
                return lacuna.memory._agent(lacuna.memory.CUDA, 0).device(name)

            new(512, 0, None)
            assert told("phases") == 1, "set-up"

            class Inner(torch.nn.Module):
                def forward(self, x):
                    assert told("phases") == 2 | 4, "forward of a step"
                    return x

            class Outer(torch.nn.Module):
                inner = Inner()
                def forward(self, x):
                    return self.inner(x)

            model, optimizer = Outer(), torch.optim.SGD([])
            for step in range(3):
                assert model(step) == step
                assert told("phases") == 4, "a step without a forward"
                optimizer.step()
                assert told("step") == step + 1
            """
        )


class OutOfMemory(Case):
    def test_is_pytorchs_and_ours_when_translated(self):
        self.run_script(
            """
            import lacuna, torch
            text = "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 256.00 MiB total capacity)"
            try:
                with lacuna.translating_out_of_memory():
                    raise RuntimeError(text)
            except torch.OutOfMemoryError as error:
                assert isinstance(error, lacuna.OutOfMemory) and error.tried == "20.00 MiB" and str(error) == text
            for other in (RuntimeError("shapes differ"), ValueError(text)):
                try:
                    with lacuna.translating_out_of_memory():
                        raise other
                except Exception as error:
                    assert error is other
            """,
            prelude="",
        )

    def test_a_lacuna_of_the_scripts_own_comes_first(self):
        with open(os.path.join(self.directory, "lacuna.py"), "w") as file:
            file.write("mine = True\n")
        self.run_script("import lacuna\nassert lacuna.mine", prelude="")


if __name__ == "__main__":
    unittest.main()

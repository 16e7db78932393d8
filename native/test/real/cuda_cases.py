"""PyTorch built for CUDA. LACUNA_CUDA_PYTHON names an interpreter that has one, LACUNA_CUDA_LIBRARIES a folder of libraries
that it is to find first: a stand-in for the driver will do, since nothing here asks what kernels compute."""

import atexit
import json
import os
import shutil
import subprocess
import tempfile
import unittest

import watcher
from case import HERE, NIGHTLY, Case

CUDA = 2  # lacuna_backend
MIB = 1 << 20

# Some 790 MiB at its peak, of which 580 are saved for backward.
TRAINING = """
    import json, os, sys
    import torch
    from torch import nn

    class Block(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.norm, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x):
            return x + self.down(nn.functional.gelu(self.up(self.norm(x))))

    device = torch.device(os.environ.get("DEVICE", "cuda:0"))
    model = nn.Sequential(*[Block(512) for _ in range(12)]).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(int(sys.argv[1])):
        optimizer.zero_grad()
        model(torch.randn(2432, 512).to(device)).sum().backward()
        optimizer.step()
        if sys.argv[2:]:
            print("step", step, flush=True)
            input()
    torch.cuda.synchronize()
    import lacuna
    stats = dict(lacuna.swap_stats(str(device)), reserved=torch.cuda.max_memory_reserved(device))
    print(json.dumps(stats))
"""


class Fronts:
    """Where the front is kept for this run: compiled once, by the first script."""

    folder = None

    @classmethod
    def get(cls, case):
        if cls.folder is None:
            cls.folder = tempfile.mkdtemp(prefix="lacuna-fronts-")
            atexit.register(shutil.rmtree, cls.folder, True)
            done = case.run_under([case.script("import torch; torch.cuda.init()")], **case.libraries(LACUNA_EXTENSIONS=cls.folder))
            case.assertRegex(done.stderr, r"\Alacuna: compiling for PyTorch [^\n]*\n\Z")
        return cls.folder


@unittest.skipUnless(os.environ.get("LACUNA_CUDA_PYTHON"), "LACUNA_CUDA_PYTHON names no Python with PyTorch for CUDA")
class OnCuda(Case):
    limit_seconds = 300  # importing such a PyTorch takes a while
    python = os.environ.get("LACUNA_CUDA_PYTHON", "")

    def libraries(self, **extra):
        libraries = os.environ.get("LACUNA_CUDA_LIBRARIES")
        return dict(extra, LD_LIBRARY_PATH=libraries) if libraries else extra

    def setUp(self):
        super().setUp()
        self.fronts = Fronts.get(self)

    def setting(self, **extra):
        return self.libraries(LACUNA_EXTENSIONS=self.fronts, **extra)

    def train(self, *options, **extra):
        return self.run_under([self.script(TRAINING), "6"], options, **self.setting(**extra))

    def start(self, steps, *options, **extra):
        process = self.start_under([self.script(TRAINING), str(steps), "hold"], options, **self.setting(**extra))
        self.step(process, 0)
        return process

    def step(self, process, number):
        self.assertEqual(process.stdout.readline(), "step %d\n" % number)

    def go_on(self, process, number):
        process.stdin.write("\n")
        process.stdin.flush()
        self.step(process, number)

    def control(self):
        (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"), self.limit_seconds)
        control = watcher.Control(socket)
        self.addCleanup(control.close)
        return control

    def end(self, process):
        out, err = process.communicate("\n", timeout=self.limit_seconds)
        self.assertEqual((process.returncode, err), (0, ""))
        return out


class Cuda(OnCuda):
    def test_the_gpu_is_the_usual_device_and_number_0(self):
        process = self.start(2)
        self.assertEqual(self.telemetry().devices(), {0: (CUDA, 0)})
        control = self.control()
        self.assertIn(" optimisation=off ", control.ask("set optimisation=off") + " ")
        self.assertEqual((self.telemetry().device("optimisation"), self.telemetry().device("backend")), (0, CUDA))
        self.assertGreater(watcher.values(control.ask("get"))["allocated_bytes"], 90 * MIB)
        self.go_on(process, 1)
        self.end(process)

    def test_what_is_loaded_on_the_host_has_no_pretended_capacity(self):
        script = self.script(
            """
            import torch
            checkpoint = {str(i): torch.ones(50, 1 << 20, dtype=torch.uint8) for i in range(4)}
            on_device = {name: tensor[:2].cuda() for name, tensor in checkpoint.items()}
            print(torch.cuda.memory_allocated() >> 20)
            """
        )
        done = self.run_under([script], ("--capacity", "64MiB"), **self.setting())
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "8\n", ""))

    def test_the_capacity_is_the_gpus(self):
        for switch in ("off", "on"):
            done = self.train("--capacity", "600MiB", "--optimisation", switch)
            self.assertEqual(done.returncode, 1)
            self.assertIn("CUDA out of memory. Tried to allocate", done.stderr)

    def test_what_does_not_fit_the_gpu_trains_with_swapping(self):
        for mode in ("on", "all"):
            done = self.train("--capacity", "600MiB", "--swap", mode)
            self.assertEqual(done.stderr, "")
            told = self.result(done)
            self.assertLessEqual(told["reserved"], 600 * MIB)
            self.assertGreater(min(told["swapped_out_bytes"], told["swapped_in_bytes"]), 100 * MIB, mode)
            self.assertEqual(told["copy_failures"], 0)

    def test_swapping_layers_and_policies_reach_the_gpu_live(self):
        process, steps = self.start(16), 16
        control = self.control()
        self.assertIn(" swap=all ", control.ask("set swap=all") + " ")
        control.ask("profile")
        for number in range(1, steps):
            self.go_on(process, number)
        profile = control.ask("profile")
        layers = control.ask("layers")
        self.assertIn(" measuring=no ", profile)
        self.assertIn("layer.1=0:", layers)
        saved = int(profile.split(" layer.1=")[1].split(":")[3])
        self.assertGreater(saved, 20 * MIB)
        self.assertTrue(control.ask("policy kinds=KKSS first=1").startswith("ok layers="), profile)
        self.assertGreater(watcher.values(control.ask("get"))["swapped_out_bytes"], 1000 * MIB)
        self.end(process)

    def test_what_pytorch_held_before_swapping_stays_and_the_rest_is_rescued(self):
        process = self.start(8, "--optimisation", "off")
        control = self.control()
        for number in (1, 2):
            self.go_on(process, number)
        self.assertEqual(watcher.values(control.ask("get"))["swapped_out_bytes"], 0)
        self.assertGreater(self.telemetry().device("peak_allocated_bytes"), 700 * MIB)
        self.assertIn(" swap=on ", control.ask("set swap=on") + " ")
        self.assertTrue(control.ask("set fraction=%.6f force=yes" % (600 * MIB / self.telemetry().device("total_bytes"))).startswith("ok"))
        for number in range(3, 8):
            self.go_on(process, number)
        after = watcher.values(control.ask("get"))
        self.assertGreater(after["swapped_out_bytes"], 100 * MIB)
        self.assertEqual(self.telemetry().device("ooms"), 0)
        self.assertLessEqual(self.telemetry().device("reserved_bytes"), 600 * MIB)
        self.end(process)

    def test_swapping_is_done_on_the_gpu_that_a_model_is_on(self):
        done = self.train("--swap", "all", DEVICE="cuda:1", STANDIN_DEVICES="2")
        if "invalid device ordinal" in done.stderr:
            self.skipTest("there is one GPU")
        self.assertGreater(self.result(done)["swapped_out_bytes"], 1000 * MIB)
        self.assertEqual(done.stderr, "")


class Front(Cuda):
    """What PyTorch asks of its own allocator alone works with ours before it, and answers as without it."""

    def outputs(self, text, **extra):
        """What the script prints, without Lacuna and with it, in both positions of the switch."""
        script = self.script(text)
        stock = subprocess.run(
            [self.python, script], env=dict(os.environ, **self.libraries(**extra)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, universal_newlines=True, timeout=self.limit_seconds,
        )  # fmt: skip
        self.assertEqual(stock.returncode, 0, stock.stderr)
        off, on = (self.run_under([script], ("--optimisation", switch), **self.setting(**extra)) for switch in ("off", "on"))
        self.assertEqual((off.returncode, on.returncode), (0, 0), off.stderr + on.stderr)
        self.assertEqual(off.stdout, stock.stdout)
        return stock.stdout, on.stdout

    def same(self, text, **extra):
        stock, ours = self.outputs(text, **extra)
        self.assertEqual(ours, stock)
        self.assertNotEqual(ours, "")

    def test_the_allocator_is_still_named_native(self):
        self.same("import torch; torch.empty(9, device='cuda'); print(torch.cuda.memory.get_allocator_backend())")

    def test_who_asks_by_the_kind_of_device_is_told_the_same(self):
        self.same(
            """
            import torch
            block = torch.empty(100 << 20, dtype=torch.uint8, device="cuda")
            ask = getattr(torch, "accelerator", torch.cuda)
            ask = ask if hasattr(ask, "memory_allocated") else torch.cuda
            print(ask.memory_allocated() >> 20, ask.memory_reserved() >> 20)
            """
        )

    def test_pools_of_their_own(self):
        self.same(
            """
            import torch
            pool = torch.cuda.MemPool()
            with torch.cuda.use_mem_pool(pool):
                inside = torch.empty(5 << 20, dtype=torch.uint8, device="cuda")
            outside = torch.empty(5 << 20, dtype=torch.uint8, device="cuda")
            print(torch.cuda.memory_allocated() >> 20, len(pool.snapshot()), pool.use_count())
            del inside
            print(torch.cuda.memory_allocated() >> 20)
            """
        )

    def test_graphs_and_frees_during_a_capture(self):
        self.same(
            """
            import torch
            a = torch.empty(8 << 20, dtype=torch.uint8, device="cuda")
            a.record_stream(torch.cuda.Stream())
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                b = torch.empty(4 << 20, dtype=torch.uint8, device="cuda")
                del a
            graph.replay()
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
            print(torch.cuda.memory_allocated() >> 20)
            """
        )

    def test_snapshots_and_histories(self):
        self.same(
            """
            import torch
            torch.cuda.memory._record_memory_history()
            torch.empty(9, device="cuda")
            print(sorted(torch.cuda.memory._snapshot()))
            torch.cuda.memory._record_memory_history(None)
            """
        )

    def test_a_snapshot_holds_all_that_is_reserved(self):
        self.same(
            """
            import torch
            held = [torch.empty(n * 300000, dtype=torch.uint8, device="cuda") for n in range(1, 30)]
            pool = torch.cuda.MemPool()
            with torch.cuda.use_mem_pool(pool):
                inside = torch.empty(5 << 20, dtype=torch.uint8, device="cuda")
            del held[3:20:2]
            segments = torch.cuda.memory_snapshot()
            blocks = [block for segment in segments for block in segment["blocks"]]
            used = [block for block in blocks if block["state"] == "active_allocated"]
            print(sum(segment["total_size"] for segment in segments) == torch.cuda.memory_reserved())
            print(sum(block["size"] for block in used) == torch.cuda.memory_allocated(), len(used))
            print(all(sum(b["size"] for b in s["blocks"]) == s["total_size"] for s in segments), len(pool.snapshot()))
            """
        )

    def test_snapshots_of_every_kind_add_up_by_pytorchs_own_arithmetic_and_by_the_agents(self):
        for setting in ("False", "True"):
            with self.subTest(expandable=setting):
                self.same(SNAPSHOTS, STANDIN_BYTES=str(4 << 30), PYTORCH_CUDA_ALLOC_CONF="expandable_segments:" + setting)

    def test_history_tells_who_took_memory_and_who_gave_it_back(self):
        self.same(
            """
            import torch
            from torch.cuda import memory
            kept = torch.empty(1, device="cuda")

            def grow():
                return torch.empty(30 << 20, dtype=torch.uint8, device="cuda")

            for context in ("all", "alloc", "state"):
                memory._record_memory_history(context=context)
                block = grow(); del block
                torch.cuda.empty_cache()
                told = set()
                for entry in memory._snapshot()["device_traces"][0]:
                    if entry["action"].startswith("segment"):
                        names = [frame["name"] for frame in entry.get("frames", ())]
                        told.add((entry["action"] in ("segment_alloc", "segment_map"), "grow" in names, "empty_cache" in names))
                print(context, sorted(told))
                memory._record_memory_history(None)
            """
        )

    def test_what_no_compiled_region_did_is_told_in_pytorchs_words(self):
        self.same(
            """
            import torch
            torch.cuda.memory._record_memory_history("all")
            kept = [torch.empty(n << 20, dtype=torch.uint8, device="cuda") for n in range(1, 5)]
            del kept[2]
            trace = torch.cuda.memory._snapshot()["device_traces"][0]
            print({entry.get("compile_context") for entry in trace}, len(trace) > 4)
            """
        )

    def test_what_users_write_beside_blocks_stands_in_snapshots(self):
        self.same(
            """
            import sys
            import torch
            import torch.cuda._memory_viz as viz
            from torch.cuda import memory
            if not getattr(memory, "_memory_metadata_supported", lambda: False)():
                print("none of this version's"); sys.exit()
            block = lambda n: torch.empty(n << 20, dtype=torch.uint8, device="cuda")
            before = block(3)
            memory._record_memory_history("all", max_entries=1000)
            memory._set_memory_metadata("layer 7")
            first = block(5)
            memory._set_memory_metadata("")
            second = block(7)

            def annotate():
                memory._annotate_tensor(first[1 << 20 :], "kept for backward")
                memory._annotate_tensor(second, "cache")
                memory._annotate_tensor(before, "older than the history")
                memory._annotate_tensor(second, "cache, again")

            annotate(); memory._set_memory_metadata("going"); del second
            memory._set_memory_metadata(""); print(repr(memory._get_memory_metadata()))
            snapshot = memory._snapshot()
            places = {first.data_ptr(): "first", before.data_ptr(): "before"}
            for entry in snapshot["device_traces"][0]:
                if not entry["action"].startswith("segment"):
                    inside = [frame["name"] for frame in entry.get("frames", ()) if frame["name"] == "annotate"]
                    print(entry["action"], places.get(entry["addr"], "second"), entry["size"] >> 20, repr(entry.get("user_metadata")), inside)
            told = viz.trace(snapshot).splitlines()
            print([line.split(": ")[1] for line in told if line.startswith("# annotate")])
            """
        )

    def test_cudnn_benchmark(self):
        self.same(
            """
            import os
            import torch
            torch.backends.cudnn.benchmark = True
            layer = torch.nn.Conv2d(3, 8, 3).cuda()
            layer(torch.randn(2, 3, 16, 16, device="cuda")).sum().backward()
            print(layer.weight.grad.shape, flush=True)
            os._exit(0)  # stock's autograd threads may end a process with SIGABRT as it exits
            """
        )

    def test_an_out_of_memory_is_counted_told_and_worded_once_as_without_us(self):
        stock, ours = self.outputs(
            """
            import re
            import torch
            seen = []
            torch._C._cuda_attach_out_of_memory_observer(lambda *a: seen.append(a))
            held = [torch.empty(512 << 20, dtype=torch.uint8, device="cuda") for _ in range(3)]
            for _ in range(2):
                try:
                    torch.empty(1 << 40, dtype=torch.uint8, device="cuda")
                except torch.OutOfMemoryError as refused:
                    print(type(refused).__mro__[1].__name__, re.sub("process [0-9]+", "", str(refused)).split(" If ")[0])
            print(len(seen), [a[:3] for a in seen], torch.cuda.memory_stats()["num_ooms"])
            """,
            STANDIN_BYTES=str(4 << 30),
        )
        self.assertEqual(ours, stock)
        self.assertIn("1.50 GiB is allocated by PyTorch", ours)

    def test_one_cap_holds_for_both(self):
        self.same(
            """
            import torch
            torch.cuda.set_per_process_memory_fraction(0.0)
            try:
                print(torch.cuda.get_per_process_memory_fraction(), torch.empty(5, device="cuda"))
            except torch.OutOfMemoryError:
                print("nothing fits")
            torch.cuda.set_per_process_memory_fraction(0.5)
            print(torch.cuda.get_per_process_memory_fraction())
            held, pool = [torch.empty(512 << 20, dtype=torch.uint8, device="cuda")], torch.cuda.MemPool()
            def fill():
                taken = []
                try:
                    while True:
                        taken.append(torch.empty(256 << 20, dtype=torch.uint8, device="cuda"))
                except torch.OutOfMemoryError as refused:
                    print(len(taken), [w for w in str(refused).split(". ") if "allowed" in w])
                return taken
            with torch.cuda.use_mem_pool(pool):
                inside = fill()
            print(len(fill()))
            del inside, pool
            torch.cuda.empty_cache()
            print(len(fill()))
            """,
            STANDIN_BYTES=str(4 << 30),
        )

    def test_memory_that_one_side_keeps_serves_the_other(self):
        self.same(
            """
            import torch
            block = lambda: torch.empty(512 << 20, dtype=torch.uint8, device="cuda")
            held = [block() for _ in range(7)]
            del held
            pool = torch.cuda.MemPool()
            with torch.cuda.use_mem_pool(pool):
                held = [block() for _ in range(7)]
            del held, pool
            held = [block() for _ in range(7)]
            print(len(held), torch.cuda.memory_stats()["num_ooms"])
            """,
            STANDIN_BYTES=str(4 << 30),
        )

    def test_with_the_optimisation_off_blocks_are_pytorchs_and_are_counted_and_told(self):
        process = self.start(2, "--optimisation", "off")
        control = self.control()
        before = watcher.values(control.ask("get"))
        self.assertGreater(before["allocated_bytes"], 90 * MIB)
        self.assertEqual(self.usage("stock"), (before["reserved_bytes"], before["allocated_bytes"]))
        self.assertNotIn("grow", dict(self.telemetry().events()))  # nobody looks: nothing is told
        self.assertTrue(control.ask("follow").startswith("ok framework=told held="))
        told = list(self.telemetry().events())
        self.assertEqual(sum(size for kind, size in told if kind == "mapped"), before["reserved_bytes"])
        self.assertEqual(sum(size for kind, size in told if kind == "held"), before["requested_bytes"])
        self.go_on(process, 1)
        after = list(self.telemetry().events())[len(told) :]
        self.assertGreater(sum(kind == "free" for kind, _ in after), 200)
        self.assertGreater(self.telemetry().device("last_step_peak_allocated_bytes"), 700 * MIB)
        self.end(process)

    def test_switching_on_and_off_hands_over_and_leaves_no_cache_behind(self):
        process = self.start(5, "--optimisation", "off")
        control = self.control()
        alone = watcher.values(control.ask("get"))
        self.assertIn(" optimisation=on ", control.ask("set optimisation=on") + " ")
        self.assertEqual(watcher.values(control.ask("get"))["reserved_bytes"], alone["reserved_bytes"])  # in the midst of a step
        self.go_on(process, 1)
        self.assertLess(self.usage("stock")[0], alone["reserved_bytes"] - 200 * MIB)
        self.go_on(process, 2)
        both = watcher.values(control.ask("get"))
        reserved, allocated = self.usage("short")
        self.assertGreater(reserved, 200 * MIB)
        self.assertEqual(both["reserved_bytes"], sum(self.usage(pools)[0] for pools in ("stock", "long", "short")))
        self.assertIn(" optimisation=off ", control.ask("set optimisation=off") + " ")
        self.go_on(process, 3)
        self.go_on(process, 4)
        self.assertEqual(self.usage("short")[1], 0)
        self.assertLess(watcher.values(control.ask("get"))["reserved_bytes"], alone["reserved_bytes"] + 64 * MIB)
        self.end(process)

    def test_where_no_record_is_known_one_sharing_fails_and_native_serves_from_then_on(self):
        script = self.script(
            """
            import ctypes, os
            import torch
            lib = ctypes.CDLL(os.environ["LACUNA_LIBRARY"])
            lib.lacuna_process_owner.restype, lib.lacuna_process_owner.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
            ours = lambda tensor: lib.lacuna_process_owner(tensor.data_ptr()) is not None
            first = torch.empty(5 << 20, dtype=torch.uint8, device="cuda")
            for _ in range(2):
                try:
                    first.untyped_storage()._share_cuda_()
                except RuntimeError as refused:
                    print(str(refused).splitlines()[0])
            second = torch.empty(5 << 20, dtype=torch.uint8, device="cuda")
            print(ours(first), ours(second), len(second.untyped_storage()._share_cuda_()) > 1)
            """
        )
        fronts = os.path.join(self.directory, "fronts")
        shutil.copytree(self.fronts, fronts)
        for place, _, files in os.walk(fronts):
            if "shared" in files:
                open(os.path.join(place, "shared"), "w").close()
        done = self.run_under([script], ("--optimisation", "on"), **self.libraries(LACUNA_EXTENSIONS=fronts))
        self.assertEqual(done.returncode, 0, done.stderr)
        told = "this tensor cannot be opened by another process; one that is made from now on can, for its memory is PyTorch's own\n"
        self.assertEqual(done.stdout, 2 * told + "True False True\n")
        self.assertRegex(done.stderr, r"\A[^\n]*Lacuna serves no device memory from now on: a tensor is wanted in another process")

    def test_where_no_step_is_marked_what_native_keeps_goes_before_a_later_request(self):
        script = self.script(
            """
            import sys, time
            import torch
            sys.path.insert(0, %r)
            from compaction_jobs import ask
            block = torch.empty(64 << 20, dtype=torch.uint8, device="cuda")
            del block
            assert ask("set optimisation=on").startswith("ok ")
            time.sleep(1.5)
            small = torch.empty(9, device="cuda")
            print(torch.cuda.memory_reserved() < 64 << 20)
            """
            % HERE
        )
        done = self.run_under([script], ("--optimisation", "off"), **self.setting())
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "True\n", ""))

    def test_a_cap_takes_what_native_keeps_at_once(self):
        script = self.script(
            """
            import sys
            import torch
            sys.path.insert(0, %r)
            from compaction_jobs import ask
            block, kept = torch.empty(256 << 20, dtype=torch.uint8, device="cuda"), torch.empty(32 << 20, dtype=torch.uint8, device="cuda")
            del block
            assert ask("set optimisation=on").startswith("ok ")
            print(torch.cuda.memory_reserved() >> 20)
            assert ask("set fraction=0.0625 force=yes").startswith("ok ")
            print(torch.cuda.memory_reserved() >> 20)
            """
            % HERE
        )
        done = self.run_under([script], ("--optimisation", "off"), **self.setting(STANDIN_BYTES=str(2 << 30)))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "288\n32\n", ""))

    def test_switched_off_under_a_cap_native_gets_what_ours_gives_back(self):
        process = self.start(5, "--optimisation", "on")
        control = self.control()
        self.go_on(process, 1)
        total, needed = (self.telemetry().device(name) for name in ("total_bytes", "peak_reserved_bytes"))
        self.assertTrue(control.ask("set fraction=%f force=yes" % ((needed + 200 * MIB) / total)).startswith("ok "))
        self.go_on(process, 2)
        self.assertGreater(self.usage("short")[1] + self.usage("long")[1], 90 * MIB)
        self.assertTrue(control.ask("set optimisation=off force=yes").startswith("ok "))
        self.go_on(process, 3)
        self.go_on(process, 4)
        self.assertGreater(self.usage("stock")[0], 500 * MIB)
        self.assertEqual(self.telemetry().device("ooms"), 0)
        self.end(process)

    def test_a_cap_holds_with_the_optimisation_off_and_what_fails_is_kept_with_pytorchs_words(self):
        process = self.start(2, "--optimisation", "off")
        control = self.control()
        self.assertTrue(control.ask("set fraction=0.01").startswith("error code=would-fail"))
        total = self.telemetry().device("total_bytes")
        self.assertTrue(control.ask("set fraction=%f force=yes" % (400 * MIB / total)).startswith("ok "))
        out, err = process.communicate("\n", timeout=self.limit_seconds)
        self.assertEqual(process.returncode, 1, err)
        self.assertRegex(err, "OutOfMemoryError: CUDA out of memory. Tried to allocate .* allowed")
        self.assertIn("CUDA out of memory. Tried to allocate", self.telemetry().text("oom_text"))
        self.assertEqual(self.telemetry().device("ooms"), 1)

    def usage(self, policy):
        """(reserved, allocated) of this policy's pools."""
        pools = {"stock": (0, 1), "short": (2, 3), "long": (4, 5)}[policy]
        return tuple(sum(self.telemetry().pool(n)[which] for n in pools) for which in (0, 1))

    def test_the_other_door_is_there_for_who_asks(self):
        done = self.run_under([self.script("import torch; torch.empty(9, device='cuda')")], **self.setting(LACUNA_DOOR="pluggable"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_another_allocator_is_left_alone(self):
        script = self.script("import torch; torch.empty(9, device='cuda'); print(torch.cuda.memory.get_allocator_backend())")
        done = self.run_under([script], **self.setting(PYTORCH_CUDA_ALLOC_CONF="backend:cudaMallocAsync"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, "stays with the allocator that stands there: it is not PyTorch's native one")

    def test_switches_without_a_pause_lose_no_block(self):
        """Ten thousand at night: who is asked changes in the midst of requests, blocks of both sides live beside one another."""
        told = self.run_under([self.script(SWITCHED), "10000" if NIGHTLY else "300"], **self.setting())
        self.assertEqual((told.returncode, told.stderr), (0, ""))
        self.assertEqual(json.loads(told.stdout), {"changed": 0, "allocated": 0, "reserved": 0})


# As scripts/roundtrip/snapshots.py makes them; what is printed is the same with PyTorch's own blocks, the agent's, and both.
SNAPSHOTS = """
    import glob, os, socket
    import torch
    import torch.cuda._memory_viz as viz
    from torch.cuda import memory

    def block(mib):
        return torch.empty(mib << 20, dtype=torch.uint8, device="cuda")

    def plain():
        keep = [block(n) for n in (1, 3, 30, 5)]
        del keep[1]
        return keep

    def private():
        pool = torch.cuda.MemPool()
        with torch.cuda.use_mem_pool(pool):
            inside = [block(n) for n in (2, 40)]
        del inside[0]
        return [pool, inside, plain()]

    def graph():
        graph, x = torch.cuda.CUDAGraph(), block(8)
        with torch.cuda.graph(graph):
            y = x + 1
        return [graph, x, y]

    def streams():
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            x = block(24)
        x.record_stream(torch.cuda.current_stream())
        y = block(3)
        del x
        return [y]

    def oom():
        keep = plain()
        try:
            block(20000)
        except torch.OutOfMemoryError:
            return keep

    def grown():
        keep = [torch.empty(n * 300001, dtype=torch.uint8, device="cuda") for n in range(1, 60)]
        for n in range(200):
            keep[7 * n % 59] = torch.empty(1 + n * 90001, dtype=torch.uint8, device="cuda")
        return keep

    expandable = os.environ["PYTORCH_CUDA_ALLOC_CONF"].endswith("True")  # of which the stand-in maps none in a capture
    for kind in (plain, streams, grown) if expandable else (plain, private, graph, streams, oom, grown):
        began = torch.cuda.memory_reserved()
        memory._record_memory_history("all", max_entries=10000)
        held = kind()
        snapshot, stats = memory._snapshot(), torch.cuda.memory_stats()
        segments = snapshot["segments"]
        sums = lambda field: sum(segment[field] for segment in segments)
        stand = lambda name: stats[name + ".all.current"]
        print(sums("total_size") == stand("reserved_bytes"), sums("allocated_size") == stand("allocated_bytes"))
        print(sums("active_size") == stand("active_bytes"), sums("requested_size") == stand("requested_bytes"))
        for segment in segments:
            blocks = segment["blocks"]
            assert sum(b["size"] for b in blocks) == segment["total_size"]
            assert sum(b["size"] for b in blocks if b["state"] == "active_allocated") == segment["allocated_size"] == viz.calc_active(segment) or kind is streams
            assert all(b["address"] == segment["address"] + sum(c["size"] for c in blocks[:n]) for n, b in enumerate(blocks))
        total = [line for line in viz.segsum(snapshot).splitlines() if line.startswith("total_reserved")]
        print(total == ["total_reserved: %r" % viz.Bytes(stand("reserved_bytes"))])
        trace = viz.trace(snapshot)
        print(len(trace) > 0, len(viz.trace_plot(snapshot)) > 0, len(viz.segment_plot(snapshot)) > 0)
        allocs = [e for e in snapshot["device_traces"][0] if e["action"] in ("alloc", "free_completed")]
        print(sum(e["size"] * (1 if e["action"] == "alloc" else -1) for e in allocs) == stand("requested_bytes"), kind is streams or len(allocs))
        signs = {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}
        moved = [e["size"] * signs[e["action"]] for e in snapshot["device_traces"][0] if e["action"] in signs]
        print(sum(moved) == stand("reserved_bytes") - began, len(moved) > 0)
        for path in glob.glob(os.path.join(os.environ.get("LACUNA_DIR", "/nowhere"), "*.sock")):
            with socket.socket(socket.AF_UNIX) as to:
                to.connect(path); to.sendall(b"get\\n")
                get = dict(word.split("=", 1) for word in to.makefile().readline().split() if "=" in word)
            assert int(get["reserved_bytes"]) == sums("total_size"), (get, sums("total_size"))
            assert int(get["allocated_bytes"]) == sums("allocated_size"), (get, sums("allocated_size"))
            assert int(get["requested_bytes"]) == sums("requested_size") or kind is streams  # of PyTorch's own it counts what is pending, too
            assert int(get["active_bytes"]) == sums("active_size"), (get, sums("active_size"))
        del held
        memory._record_memory_history(None)
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
"""

# Blocks of random sizes come and go in two threads, each with a value of its own, while a third one switches.
SWITCHED = """
    import ctypes, gc, json, os, random, sys, threading, torch
    torch.empty(1, device="cuda")
    library, switches = ctypes.CDLL(os.environ["LACUNA_LIBRARY"]), int(sys.argv[1])
    library.lacuna_process_device.restype = ctypes.c_void_p
    agent, ended, changed = ctypes.c_void_p(library.lacuna_process_device(2, 0)), threading.Event(), []

    def work(seed):
        numbers, live = random.Random(seed), []
        while not ended.is_set():
            if len(live) > 60:
                block, value = live.pop(numbers.randrange(len(live)))
                changed.extend([value] if bool((block.cpu() != value).any()) else [])
            bytes_of, value = numbers.choice((700, 60000, 900000, 5000000)), numbers.randrange(251)
            block = torch.empty(bytes_of + numbers.randrange(bytes_of), dtype=torch.uint8, device="cuda")
            block.copy_(torch.full(block.shape, value, dtype=torch.uint8))
            live.append((block, value))

    workers = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2)]
    for worker in workers:
        worker.start()
    for n in range(switches):
        assert library.lacuna_set_optimisation(agent, n % 2, None) == 0
    ended.set()
    for worker in workers:
        worker.join()
    gc.collect()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    print(json.dumps({"changed": len(changed), "allocated": torch.cuda.memory_allocated(), "reserved": torch.cuda.memory_reserved()}))
"""

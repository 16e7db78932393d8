"""The front door is opened in a training that was started without us, and pools are switched in it. On a GPU, or a stand-in."""

import json
import os
import subprocess
import unittest

import watcher
from case import HERE, LIBRARY, NIGHTLY
from cuda_cases import OnCuda

PACKAGE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "python", "lacuna")
# PyTorch's thread for backward may be late with what it puts away as the process ends: then it aborts, in stock as well (docs/pytorch.md).
ABORTS, TRIES = "terminate called without an active exception", 3

# Trains without us; `enter` opens the door at the end of the step that runs. Every block is patterned and looked at.
JOB = """
    import ctypes, importlib.util, json, os, sys, threading, warnings
    warnings.simplefilter("ignore")
    import torch
    from torch import nn
    import torch.optim.optimizer  # sets no attribute in newer ones
    sys.path.insert(0, %r)
    PACKAGE = %r

    spec = importlib.util.spec_from_file_location("_lacuna_takeover", os.path.join(PACKAGE, "takeover.py"))
    takeover = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(takeover)

    def enter():
        try:
            takeover.at_next_step(PACKAGE, os.environ["LIBRARY"], os.environ["LACUNA_DIR"], entered.append)
        except takeover.Unable as reason:
            entered.append(str(reason))

    def ours(tensor):
        library = ctypes.CDLL(os.environ["LIBRARY"])
        library.lacuna_process_owner.restype, library.lacuna_process_owner.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
        return library.lacuna_process_owner(tensor.data_ptr()) is not None

    entered = []
    torch.manual_seed(0)
    model = nn.Sequential(*[nn.Sequential(nn.Linear(256, 1024), nn.GELU(), nn.Linear(1024, 256)) for _ in range(4)]).cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    kept = []

    def keep(n):
        block = torch.empty(1 + 4001 * (n %% 700), dtype=torch.uint8, device="cuda")
        block.fill_(0)
        kept.append((block, n %% 251))
        block.copy_(torch.full(block.shape, n %% 251, dtype=torch.uint8))
        if len(kept) > 40:
            old, value = kept.pop((7 * n) %% 40)
            assert bool((old.cpu() == value).all()), "a block was changed"

    def train(steps):
        for n in range(steps):
            optimizer.zero_grad()
            model(torch.randn(64 + 32 * (n %% 3), 256).cuda()).pow(2).mean().backward()
            optimizer.step()
            scheduler.step()
            keep(n)
"""


@unittest.skipUnless(os.environ.get("LACUNA_CUDA_PYTHON"), "LACUNA_CUDA_PYTHON names no Python with PyTorch for CUDA")
class TakeOver(OnCuda):
    maxDiff = None

    def run_job(self, body, **extra):
        text = JOB % (HERE, PACKAGE) + body
        setting = dict(self.setting(), LIBRARY=LIBRARY, TORCH_CPP_LOG_LEVEL="ERROR")
        for _ in range(TRIES):
            done = self.run_plain([self.script(text)], **dict(setting, **extra))
            if not (done.returncode < 0 and ABORTS in done.stderr and done.stdout):
                break
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout.splitlines()[-1])

    def test_a_training_that_runs_is_taken_over_switched_compacted_and_switched_back(self):
        told = self.run_job(
            """
    from compaction_jobs import ask, figures
    train(10); enter(); train(1)
    shown = [figures(ask("get"))]
    for lines in (["set optimisation=on"], ["compact pace=at-once"], ["set optimisation=off force=yes", "compact pace=at-once"]):
        for line in lines: assert ask(line).startswith("ok "), ask(line)
        train(12)
        shown.append(figures(ask("get")))
    shown.append(figures(ask("compaction")))
    print(json.dumps([entered, shown, torch.cuda.memory_allocated()]))
"""
        )
        entered, shown, allocated = told
        self.assertEqual((entered, [each["optimisation"] for each in shown[:4]]), ([""], ["off", "on", "on", "off"]))
        self.assertEqual(int(shown[3]["allocated_bytes"]), allocated)
        self.assertGreater(int(shown[4]["moved"]), 40)
        self.assertGreaterEqual(int(shown[3]["step"]), 36)

    def test_a_graph_that_is_being_captured_meanwhile_stays_natives(self):
        owners = self.run_job(
            """
    import ctypes
    from compaction_jobs import ask
    train(2); enter(); train(1)
    graph, stream = torch.cuda.CUDAGraph(), torch.cuda.Stream()
    ask("set optimisation=on")
    lib = ctypes.CDLL(os.environ["LIBRARY"])
    lib.lacuna_process_owner.restype, lib.lacuna_process_owner.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    ours = lambda tensor: lib.lacuna_process_owner(tensor.data_ptr()) is not None
    before = torch.empty(1 << 20, device="cuda")
    with torch.cuda.graph(graph, stream=stream):
        inside = torch.empty(1 << 20, device="cuda")
    after = torch.empty(1 << 20, device="cuda")
    print(json.dumps([ours(before), ours(inside), ours(after)]))
"""
        )
        self.assertEqual(owners, [True, False, True])

    def test_what_native_keeps_goes_once_as_the_step_ends_in_which_it_was_switched(self):
        told = self.run_job(
            """
    from compaction_jobs import ask
    train(2); enter(); train(1)
    natives = lambda: sum(s["total_size"] for s in torch.cuda.memory_snapshot() if s["segment_pool_id"] == (0, 0) and not s["is_expandable"])
    big = lambda: torch.empty(64 << 20, dtype=torch.uint8, device="cuda")
    later, cache = big(), big()
    del cache
    before, seen = natives(), []
    ask("set optimisation=on"); seen.append(natives() - before)
    loss = model(torch.randn(64, 256).cuda()).pow(2).mean(); seen.append(natives() - before)
    loss.backward(); seen.append(natives() - before)
    optimizer.step(); after = natives(); seen.append(after <= before - (64 << 20))
    del later; train(3); seen.append(natives() - after)
    print(json.dumps([entered, seen]))
"""
        )
        self.assertEqual(told, [[""], [0, 0, 0, True, 0]])

    def test_what_native_keeps_stays_for_as_long_as_a_pool_is_open_and_where_it_serves_again(self):
        told = self.run_job(
            """
    from compaction_jobs import ask
    if not hasattr(torch.cuda, "MemPool"): print(json.dumps(None)); sys.exit()
    train(2); enter(); train(1)
    natives = lambda: sum(s["total_size"] for s in torch.cuda.memory_snapshot() if s["segment_pool_id"] == (0, 0) and not s["is_expandable"])
    cache = torch.empty(64 << 20, dtype=torch.uint8, device="cuda")
    del cache
    before, seen, pool = natives(), [], torch.cuda.MemPool()
    ask("set optimisation=on"); ask("set optimisation=off force=yes"); train(1); seen.append(natives() == before)
    ask("set optimisation=on")
    with torch.cuda.use_mem_pool(pool): train(2); seen.append(natives() == before)
    seen.append(natives() == before); train(1); seen.append(natives() <= before - (64 << 20))
    print(json.dumps([entered, seen]))
"""
        )
        if told is None:
            self.skipTest("no MemPool")
        self.assertEqual(told, [[""], [True] * 4])

    def test_a_capture_that_began_before_the_door_was_opened_is_left_alone(self):
        owners = self.run_job(
            """
    import ctypes
    train(2)
    graph, stream = torch.cuda.CUDAGraph(), torch.cuda.Stream()
    lib = ctypes.CDLL(os.environ["LIBRARY"])
    lib.lacuna_process_owner.restype, lib.lacuna_process_owner.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    ours = lambda tensor: lib.lacuna_process_owner(tensor.data_ptr()) is not None
    from compaction_jobs import ask
    with torch.cuda.graph(graph, stream=stream):
        first = torch.empty(1 << 20, device="cuda")
        takeover.take_over(PACKAGE, os.environ["LIBRARY"], optimizer, os.environ["LACUNA_DIR"])
        ask("set optimisation=on")
        second = torch.empty(1 << 20, device="cuda")
    third = torch.empty(1 << 20, device="cuda")
    print(json.dumps([ours(first), ours(second), ours(third)]))
"""
        )
        self.assertEqual(owners, [False, False, True])

    def test_threads_that_allocate_all_the_while_lose_nothing(self):
        told = self.run_job(
            """
    from compaction_jobs import ask, figures
    over, faults = threading.Event(), []

    def work(seed):
        held, stream, n = [], torch.cuda.Stream(), seed
        try:
            with torch.cuda.stream(stream):
                while not over.is_set():
                    n += 1
                    held.append((torch.full((1 + 997 * (n %% 300),), n %% 127, dtype=torch.uint8).cuda(), n %% 127))
                    if len(held) > 20:
                        block, value = held.pop(n %% 20)
                        assert bool((block.cpu() == value).all())
                    if n %% 50 == 0:
                        held[0][0].record_stream(torch.cuda.default_stream())
        except BaseException as fault:
            faults.append(repr(fault))

    threads = [threading.Thread(target=work, args=(1000 * n,), daemon=True) for n in range(3)]
    for thread in threads: thread.start()
    train(5); enter(); train(2)
    for n in range(%d):
        assert ask("set optimisation=%%s force=yes" %% ("on", "off")[n %% 2]).startswith("ok ")
        if n %% 10 == 0: train(1)
    over.set()
    for thread in threads: thread.join()
    kept.clear(); ask("set optimisation=off force=yes"); train(1)
    torch.cuda.synchronize(); torch.cuda.empty_cache()
    seen = figures(ask("get"))
    print(json.dumps([entered, faults, int(seen["allocated_bytes"]) == torch.cuda.memory_allocated(), seen["ooms"] if "ooms" in seen else "0"]))
"""
            .replace("%d", str(10000 if NIGHTLY else 300))
            .replace("%%", "%")
        )
        self.assertEqual(told[:3], [[""], [], True])

    def test_what_stands_in_the_way_is_said_and_nothing_changes(self):
        reasons = self.run_job(
            """
    train(1); enter(); train(1); enter(); train(1)
    print(json.dumps(entered))
"""
        )
        self.assertEqual(reasons, ["", "Lacuna is in this process already"])
        reasons = self.run_job(
            # without exit: stock's autograd threads may end a process with SIGABRT, and nothing of ours is there
            "\n    train(1); enter(); train(1)\n    print(json.dumps(entered), flush=True); os._exit(0)\n",
            LACUNA_EXTENSIONS=self.directory,
        )
        self.assertRegex(reasons[0], r"^there is no front for PyTorch \S+ yet; python3 -m lacuna build-front makes one$")

    def test_it_is_taken_out_again_and_native_serves_alone(self):
        told = self.run_job(
            """
    import lacuna
    from compaction_jobs import ask, figures
    lib = ctypes.CDLL(os.environ["LIBRARY"])
    lib.lacuna_process_owner.restype, lib.lacuna_process_owner.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    ours = lambda tensor: lib.lacuna_process_owner(tensor.data_ptr()) is not None
    files = lambda: [name for name in os.listdir(os.environ["LACUNA_DIR"]) if name.endswith((".mem", ".sock"))]
    shown = []
    for turn in range(3):
        train(2); enter(); train(1)
        ask("set optimisation=on"); ask("compact pace=at-once"); train(4)
        mine, moved = torch.ones(1 << 16, device="cuda"), sum(map(ours, model.parameters()))
        assert ask("retract").startswith("ok state=held"), "it holds nothing"
        kept.clear(); train(4)
        shown.append((ours(mine), moved, sum(map(ours, model.parameters())), len(files())))
        del mine; kept.clear(); train(2)
        shown.append((ours(torch.ones(9, device="cuda")), len(files()), "LACUNA_TAKEN_OVER" in os.environ))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        inside = torch.ones(1 << 10, device="cuda")
    graph.replay()
    print(json.dumps([entered, shown, torch.cuda.memory_allocated() > 0]))
""".replace("from compaction", "import ctypes\n    from compaction", 1)
        )
        self.assertEqual(told, [[""] * 3, [[True, 16, 0, 2], [False, 0, False]] * 3, True])

    def test_each_device_is_switched_and_compacted_by_itself(self):
        told = self.run_job(
            """
    from compaction_jobs import ask, figures
    other = nn.Linear(512, 512).to("cuda:1")
    another = torch.optim.Adam(other.parameters())

    def both(steps):
        for _ in range(steps):
            train(1); another.zero_grad(); other(torch.randn(8, 512).to("cuda:1")).sum().backward(); another.step()

    def look(first, second):
        for number, wanted in enumerate((first, second)):
            fresh = torch.empty(1 << 20, device="cuda:%d" % number)
            told = figures(ask("get device=%d" % number))
            torch.cuda.synchronize(number)
            shown.append([ours(fresh) == wanted, int(told["allocated_bytes"]) == torch.cuda.memory_allocated(number)])

    shown = []
    both(3); enter(); both(1); look(False, False)
    assert ask("set device=1 optimisation=on").startswith("ok "); look(False, True); both(2)
    assert ask("compact device=1 pace=at-once").startswith("ok "); both(5)
    shown.append([sum(map(ours, other.parameters())), sum(map(ours, model.parameters()))])
    assert ask("set device=0 optimisation=on").startswith("ok "); look(True, True); both(2)
    assert ask("set device=1 optimisation=off force=yes").startswith("ok "); look(True, False); both(2)
    kept.clear(); assert ask("retract").startswith("ok "); both(6)
    files = [name for name in os.listdir(os.environ["LACUNA_DIR"]) if name.endswith((".mem", ".sock"))]
    shown.append([sum(map(ours, other.parameters())), len(files)])
    print(json.dumps([entered, shown]))
""",
            STANDIN_DEVICES="2",
        )
        self.assertEqual(told, [[""], [[True, True]] * 4 + [[2, 0]] + [[True, True]] * 4 + [[0, 0]]])

    def test_a_child_that_is_forked_leaves_it_alone(self):
        told = self.run_job(
            """
    from compaction_jobs import ask, figures
    train(2); enter(); train(1); ask("set optimisation=on"); mine = torch.ones(1 << 16, device="cuda")
    files = lambda: sorted(name for name in os.listdir(os.environ["LACUNA_DIR"]) if name.endswith((".mem", ".sock")))
    before = files()
    reader, writer = os.pipe()
    if os.fork() == 0:
        del mine; kept.clear()
        host = nn.Parameter(torch.zeros(9)); steps = torch.optim.SGD([host], lr=1.0); host.grad = torch.ones(9)
        for _ in range(3): steps.step()
        os.write(writer, json.dumps([before == files(), float(host.detach().sum())]).encode())
        os._exit(0)
    os.close(writer)
    shown = json.loads(os.read(reader, 1000)); status = os.wait()[1]
    loader = torch.utils.data.DataLoader(torch.arange(20.0), batch_size=4, num_workers=2, multiprocessing_context="fork")
    batches = [float(batch.cuda().shape[0]) for batch in loader]
    train(3); told = figures(ask("get"))
    print(json.dumps([entered, shown, status, batches, files() == before, ours(mine), int(told["allocated_bytes"]) == torch.cuda.memory_allocated()]))
"""
        )
        self.assertEqual(told, [[""], [True, -27.0], 0, [4.0] * 5, True, True, True])

    def test_what_a_backward_needs_is_swapped_and_it_leaves_in_the_midst_of_that(self):
        told = self.run_job(
            """
    from compaction_jobs import ask, figures
    files = lambda: [name for name in os.listdir(os.environ["LACUNA_DIR"]) if name.endswith((".mem", ".sock"))]
    train(3); enter(); train(2)
    assert ask("set swap=all").startswith("ok "); train(4)
    loss = model(torch.randn(64, 256).cuda()).pow(2).mean()
    seen = figures(ask("get"))
    assert ask("retract").startswith("ok ")
    optimizer.zero_grad(); loss.backward(); optimizer.step(); del loss; kept.clear(); train(3); kept.clear(); train(3)
    print(json.dumps([entered, int(seen["swapped_out_bytes"]) > 1 << 20, int(seen["swapped_in_bytes"]) > 1 << 20, seen["copy_failures"] if "copy_failures" in seen else "0", files()]))
""",
            LACUNA_SWAP_SMALLEST="4KiB",
        )
        self.assertEqual(told, [[""], True, True, "0", []])

    def test_a_reader_that_is_killed_while_pools_serve_costs_nothing(self):
        told = self.run_job(
            """
    import subprocess, time
    from compaction_jobs import ask, figures
    READER = (
        "import mmap, os, sys; sys.path.insert(0, sys.argv[1]); import watcher\\n"
        "(path,) = watcher.files(sys.argv[2], '.sock'); (told,) = watcher.files(sys.argv[2], '.mem')\\n"
        "file = open(told, 'rb'); mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)\\n"
        "control = watcher.Control(path); assert control.ask('follow').startswith('ok ')\\n"
        "half = watcher.Control(path); half.socket.sendall(b'ge')\\n"
        "print('reads', flush=True)\\n"
        "while True: mapped[:]; control.ask('get'); control.ask('phases')\\n"
    )
    train(2); enter(); train(1); ask("set optimisation=on")
    for turn in range(6):
        reader = subprocess.Popen([sys.executable, "-c", READER, sys.path[0], os.environ["LACUNA_DIR"]], stdout=subprocess.PIPE)
        assert reader.stdout.readline() == b"reads\\n"
        train(2); reader.kill(); train(2); reader.wait(); reader.stdout.close()
        assert ask("set optimisation=%s force=yes" % ("off", "on")[turn % 2]).startswith("ok ")
    began = time.monotonic(); told = figures(ask("get")); took = time.monotonic() - began
    print(json.dumps([entered, told["optimisation"], int(told["allocated_bytes"]) == torch.cuda.memory_allocated(), took < 10]))
"""
        )
        self.assertEqual(told, [[""], "on", True, True])

    def test_a_storage_from_before_the_switch_that_grows_is_counted_where_it_comes_to_lie(self):
        told = self.run_job(
            """
    from compaction_jobs import ask, figures
    grown = lambda tensor: tensor.resize_(3 << 20)
    before = torch.ones(1 << 20, dtype=torch.uint8, device="cuda")
    before.copy_(torch.full(before.shape, 7, dtype=torch.uint8))
    train(2); enter(); train(1)
    between = torch.ones(1 << 20, dtype=torch.uint8, device="cuda")
    between.copy_(torch.full(between.shape, 9, dtype=torch.uint8))
    count = lambda: int(figures(ask("get"))["allocated_bytes"])
    shown = [ours(before), ours(between), count() == torch.cuda.memory_allocated()]
    ask("set optimisation=on"); held = count()
    grown(before); grown(between)
    shown += [ours(before), ours(between), count() == torch.cuda.memory_allocated(), count() - held]
    shown += [bool((before[: 1 << 20].cpu() == 7).all()), bool((between[: 1 << 20].cpu() == 9).all())]
    del before, between; shown.append(held - count())
    print(json.dumps([entered, shown]))
"""
        )
        # PyTorch asks the allocator by which a storage was made: what was made before the door was opened is native's for good.
        self.assertEqual(told, [[""], [False, False, True, False, True, True, 4 << 20, True, True, 2 << 20]])

    def test_a_storage_from_before_the_door_was_opened_grows_into_what_the_agent_keeps_unused(self):
        told = self.run_job(
            """
    from compaction_jobs import ask, figures
    before = torch.ones(1 << 20, dtype=torch.uint8, device="cuda")
    train(2); enter(); train(1); ask("set optimisation=on"); train(1)
    cache = torch.empty(1200 << 20, dtype=torch.uint8, device="cuda"); del cache
    assert torch.cuda.memory_reserved() > 1200 << 20
    before.resize_(1300 << 20); shown = torch.cuda.memory_reserved() >> 20
    print(json.dumps([entered, ours(before), shown < 2000]))
""",
            STANDIN_BYTES=str(2 << 30),
        )
        self.assertEqual(told, [[""], False, True])

    def test_a_script_takes_itself_over(self):
        told = self.run_job(
            """
    import lacuna
    from compaction_jobs import ask, figures
    train(2); lacuna.take_over(); train(2)
    try:
        lacuna.take_over()
    except RuntimeError as reason:
        entered.append(str(reason))
    print(json.dumps([entered, figures(ask("get"))["optimisation"]]))
"""
        )
        self.assertEqual(told, [["Lacuna is in this process already"], "off"])

    def test_the_front_is_built_beforehand_by_a_command(self):
        path = os.path.dirname(PACKAGE)
        setting = dict(os.environ, PYTHONPATH=path, LACUNA_LIBRARY=LIBRARY, **self.setting())
        done = subprocess.run([self.python, "-m", "lacuna", "build-front"], env=setting, capture_output=True, text=True, timeout=self.limit_seconds)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(os.path.exists(done.stdout.strip()))

    def test_the_files_of_a_training_that_was_taken_over_go_at_its_end(self):
        self.run_job("\n    train(1); enter(); train(2)\n    print(json.dumps(entered))\n")
        self.assertEqual(watcher.files(self.directory, ".mem") + watcher.files(self.directory, ".sock"), [])

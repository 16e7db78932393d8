"""A training on the host, started without us, is taken over while it runs, switched, compacted and left again."""

import json
import os
import unittest

import watcher
from case import HERE, LIBRARY, NIGHTLY, Case, nightly
from takeover_cases import PACKAGE

# Trains without us; `enter` opens the door at the end of the step that runs. Every block that is kept is patterned and looked at.
JOB = """
    import ctypes, hashlib, importlib.util, json, os, sys, threading, warnings
    warnings.simplefilter("ignore")
    import torch
    from torch import nn
    sys.path.insert(0, %r)
    PACKAGE, PLAIN = %r, bool(os.environ.get("PLAIN"))

    spec = importlib.util.spec_from_file_location("_lacuna_takeover", os.path.join(PACKAGE, "takeover.py"))
    takeover = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(takeover)
    from compaction_jobs import ask as really_ask, figures
    entered, kept = [], []

    def enter():
        if PLAIN: return
        try:
            takeover.at_next_step(PACKAGE, os.environ["LIBRARY"], os.environ["LACUNA_DIR"], entered.append)
        except takeover.Unable as reason:
            entered.append(str(reason))

    def ask(line):
        if PLAIN: return
        answer = really_ask(line)
        assert answer.startswith("ok "), (line, answer)
        return figures(answer)

    def library():
        found = ctypes.CDLL(os.environ["LIBRARY"])
        found.lacuna_process_owner.restype, found.lacuna_process_owner.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
        return found

    def ours(tensor):
        return library().lacuna_process_owner(tensor.data_ptr()) is not None

    def files():
        return sorted(name.rpartition(".")[2] for name in os.listdir(os.environ["LACUNA_DIR"]) if name != "script.py")

    def threads():
        return [open("/proc/self/task/%%s/comm" %% each).read().strip() for each in os.listdir("/proc/self/task")]

    torch.manual_seed(0)
    model = nn.Sequential(*[nn.Sequential(nn.Linear(128, 512), nn.GELU(), nn.Linear(512, 128)) for _ in range(3)])
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)

    def keep(n):
        block = torch.full((1 + 4001 * (n %% 100),), n %% 251, dtype=torch.uint8)
        kept.append((block, n %% 251))
        if len(kept) > 20:
            old, value = kept.pop((7 * n) %% 20)
            assert bool((old == value).all()), "a block was changed"

    def train(steps):
        for n in range(steps):
            optimizer.zero_grad()
            model(torch.randn(32 + 16 * (n %% 3), 128)).pow(2).mean().backward()
            optimizer.step()
            scheduler.step()
            keep(n)

    def bits():
        of = hashlib.sha256()
        for each in list(model.parameters()) + [v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v)]:
            of.update(each.detach().numpy().tobytes())
        return of.hexdigest()
"""


class HostTakeOver(Case):
    def run_job(self, body, **extra):
        text = JOB % (HERE, PACKAGE) + body
        setting = dict({"LACUNA_CAPACITY": "1GiB"}, LIBRARY=LIBRARY, CUDA_VISIBLE_DEVICES="")
        done = self.run_plain([self.script(text)], **dict(setting, **extra))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout.splitlines()[-1])

    def test_a_training_is_taken_over_switched_compacted_and_left_with_the_bits_of_one_that_was_not(self):
        body = """
    train(10); enter(); train(1)
    shown = [ask("get")]
    for lines in (["set optimisation=on"], ["compact pace=at-once"], ["set optimisation=off force=yes", "compact pace=at-once"], ["set optimisation=on"]):
        for line in lines: ask(line)
        train(6)
        shown.append(ask("get"))
    there = None if PLAIN else [ours(each) for each in model.parameters()], files()
    ask("retract"); train(3); kept.clear(); train(3)
    print(json.dumps([bits(), entered, shown, there, files(), [each for each in threads() if each.startswith("lacuna")],
                      [ours(each) for each in model.parameters()] if not PLAIN else []]))
"""
        plain, taken = self.run_job(body, PLAIN="1"), self.run_job(body)
        self.assertEqual(taken[0], plain[0])
        self.assertEqual(taken[1], [""])
        self.assertEqual([each["optimisation"] for each in taken[2]], ["off", "on", "on", "off", "on"])
        own = [int(each["limit_bytes"]) for each in taken[2]]
        self.assertEqual(own, [1 << 30] * 5)
        self.assertEqual(taken[3][1], ["log", "mem", "sock"])
        self.assertEqual(taken[4:], [["log"], [], [False] * 12])

    def test_new_tensors_come_from_the_agent_while_it_is_on_and_old_ones_go_where_they_came_from(self):
        told = self.run_job(
            """
    train(2); before = torch.ones(1 << 16); enter(); train(1)
    off = torch.ones(1 << 16); ask("set optimisation=on"); on = torch.ones(1 << 16)
    ask("set optimisation=off force=yes"); again = torch.ones(1 << 16)
    shown = [ours(each) for each in (before, off, on, again)]
    whole = [float(each.sum()) for each in (before, off, on, again)]
    del before, off, on, again; kept.clear(); train(1)
    held = ctypes.c_uint64(); library().lacuna_process_leave(); library().lacuna_process_leaving(ctypes.byref(held))
    print(json.dumps([entered, shown, whole, held.value]))
"""
        )
        self.assertEqual(told, [[""], [False, False, True, False], [65536.0] * 4, 0])

    def test_a_storage_from_before_the_switch_that_grows_comes_to_lie_with_who_serves_then(self):
        told = self.run_job(
            """
    before = torch.full((1 << 20,), 7, dtype=torch.uint8); train(2); enter(); train(1)
    shown = [ours(before)]
    ask("set optimisation=on")
    now = int(ask("get")["allocated_bytes"]); before.resize_(48 << 20); grew = int(ask("get")["allocated_bytes"]) - now
    shown += [ours(before), bool((before[: 1 << 20] == 7).all()), 46 << 20 < grew < 49 << 20]
    ask("set optimisation=off force=yes"); before.resize_(96 << 20)
    shown += [ours(before), bool((before[: 1 << 20] == 7).all())]
    print(json.dumps([entered, shown]))
"""
        )
        self.assertEqual(told, [[""], [False, True, True, True, False, True]])

    def test_compaction_moves_weights_and_moments_in_and_back(self):
        told = self.run_job(
            """
    train(5); enter(); train(1)
    of = list(model.parameters()) + [v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v) and v.numel() > 1]
    shown = [sum(map(ours, of)), len(of)]
    ask("set optimisation=on"); ask("compact pace=at-once"); train(4); shown.append(sum(map(ours, of)))
    moved = ask("compaction")
    ask("set optimisation=off force=yes"); ask("compact pace=at-once"); train(4); shown.append(sum(map(ours, of)))
    print(json.dumps([entered, shown, moved["state"]]))
"""
        )
        self.assertEqual(told, [[""], [0, 36, 36, 0], "done"])

    def test_what_the_heap_keeps_free_is_the_machines_once_tensors_come_from_the_agent(self):
        told = self.run_job(
            """
    pieces = [torch.ones(16 << 20, dtype=torch.uint8) for _ in range(8)]
    above = torch.ones(1 << 20, dtype=torch.uint8)
    pieces.clear(); enter(); train(2)

    def held():
        return int(ask("get")["reserved_bytes"]), 4096 * int(open("/proc/self/statm").read().split()[1])

    before = held(); ask("set optimisation=on"); train(3); after = held()
    print(json.dumps([entered, before, after, int(above.sum())]))
""",
            MALLOC_MMAP_THRESHOLD_=str(32 << 20), MALLOC_TRIM_THRESHOLD_=str(1 << 30),
        )  # fmt: skip
        self.assertEqual((told[0], told[3]), ([""], 1 << 20))
        for before, after in zip(told[1], told[2]):
            self.assertLess(after, before - (96 << 20))

    def test_phases_that_cannot_be_timed_are_not_told_of(self):
        told = self.run_job("\n    train(2); enter(); train(5)\n    print(json.dumps([torch.__version__, ask('phases')]))\n")
        names = {value.split(":")[0]: int(value.split(":")[2]) for word, value in told[1].items() if word.startswith("phase.")}
        self.assertGreater(min(names.values()), 10000)  # ns
        self.assertEqual("optimizer" in names, int(told[0].split(".")[0]) > 1)
        self.assertLessEqual({"forward", "backward"}, set(names))

    def test_it_leaves_in_the_middle_of_swapping(self):
        body = """
    import time
    train(3); enter(); train(2); ask("set swap=all"); train(4)
    loss = model(torch.randn(64, 128)).pow(2).mean()
    away = 0 if PLAIN else int(ask("get")["swapped_out_bytes"])
    ask("retract"); optimizer.zero_grad(); loss.backward(); optimizer.step(); del loss; kept.clear(); train(3); kept.clear(); train(2)
    until = time.monotonic() + 20
    while len(threads()) > 1 and time.monotonic() < until: time.sleep(0.1)
    print(json.dumps([bits(), entered, away > 0, files(), threads()]))
"""
        plain, taken = (self.run_job(body, LACUNA_SWAP_SMALLEST="4KiB", **extra) for extra in ({"PLAIN": "1"}, {}))
        self.assertEqual(taken[0], plain[0])
        self.assertEqual(taken[1:4], [[""], True, ["log"]])
        self.assertEqual(taken[4], plain[4])

    @nightly("by day a training that has room")
    def test_what_it_has_no_room_for_is_pytorchs_own(self):
        told = self.run_job(
            """
    train(1); enter(); train(1); ask("set optimisation=on")
    small = torch.ones(1 << 10); large = torch.ones(256 << 20, dtype=torch.uint8)
    print(json.dumps([entered, ours(large), ours(small), int(large.sum())]))
""",
            LACUNA_CAPACITY="256MiB",
        )
        self.assertEqual(told, [[""], False, True, 256 << 20])

    def test_without_a_word_its_capacity_is_the_machines_memory(self):
        told = self.run_job("\n    train(1); enter(); train(1)\n    print(json.dumps([entered, ask('get')]))\n", LACUNA_CAPACITY="")
        self.assertEqual(told[0], [""])
        self.assertGreater(int(told[1]["total_bytes"]), os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)

    def test_threads_that_allocate_all_the_while_lose_nothing(self):
        told = self.run_job(
            """
    over, faults = threading.Event(), []

    def work(seed):
        held, n = [], seed
        try:
            while not over.is_set():
                n += 1
                held.append((torch.full((1 + 997 * (n % 300),), n % 127, dtype=torch.uint8), n % 127))
                if len(held) > 20:
                    block, value = held.pop(n % 20)
                    assert bool((block == value).all())
        except BaseException as fault:
            faults.append(repr(fault))

    workers = [threading.Thread(target=work, args=(1000 * n,), daemon=True) for n in range(3)]
    for each in workers: each.start()
    for turn in range(TURNS):
        train(2); enter(); train(2)
        for n in range(SWITCHES):
            ask("set optimisation=%s force=yes" % ("on", "off")[n % 2])
            if n % 10 == 0: train(1)
        ask("set optimisation=on"); train(1)
        ask("retract"); kept.clear()
        for n in range(200):
            train(1)
            if files() == ["log"]: break
            kept.clear()
        shown = files(), len([each for each in threads() if each.startswith("lacuna")])
    over.set()
    for each in workers: each.join()
    print(json.dumps([entered, faults, shown]))
""".replace("TURNS", "20" if NIGHTLY else "3").replace("SWITCHES", "500" if NIGHTLY else "50")
        )
        self.assertEqual(told, [[""] * (20 if NIGHTLY else 3), [], [["log"], 0]])

    def test_it_stays_as_long_as_somebody_keeps_a_block_of_its_own(self):
        told = self.run_job(
            """
    train(1); enter(); train(1); ask("set optimisation=on"); mine = torch.ones(1 << 16); kept.clear()
    answer = ask("retract"); train(5)
    shown = [answer["state"], files(), ours(torch.ones(10)), float(mine.sum())]
    refused = really_ask("set optimisation=on")
    del mine; train(2)
    print(json.dumps([entered, shown, refused.split(" text=")[0], files()]))
"""
        )
        self.assertEqual(told, [[""], ["held", ["log", "mem", "sock"], False, 65536.0], "error code=busy", ["log"]])

    def test_a_script_takes_itself_over_and_out_again(self):
        told = self.run_job(
            """
    import lacuna
    hooks = sys.modules["torch.optim.optimizer"].__dict__.get("_global_optimizer_post_hooks", {})
    before = nn.Module.__call__, torch.autograd.backward, len(hooks), dict(os.environ)
    train(2); lacuna.take_over(); train(2)
    try:
        lacuna.take_over()
    except RuntimeError as reason:
        entered.append(str(reason))
    ask("set optimisation=on fraction=0.5"); train(2); kept.clear()
    lacuna.detach(); train(2)
    entered.append((nn.Module.__call__, torch.autograd.backward, len(hooks), dict(os.environ)) == before)
    try:
        lacuna.detach()
    except RuntimeError as reason:
        entered.append(str(reason))
    lacuna.take_over(); train(1)
    now, phases = ask("get"), ask("phases")
    entered.append([now["fraction"], now["optimisation"], now["step"], "phase.0" in phases])
    train(1); lacuna.detach()
    print(json.dumps([entered, files()]))
"""
        )
        self.assertEqual(told, [["Lacuna is in this process already", True, "this process was not taken over", ["1", "off", "0", False]], ["log"]])

    def test_forked_children_are_left_alone_and_free_what_they_have(self):
        told = self.run_job(
            """
    train(1); enter(); train(1); ask("set optimisation=on"); mine = torch.ones(1 << 16)
    reader, writer = os.pipe()
    if os.fork() == 0:
        fresh = torch.ones(1 << 16)
        os.write(writer, json.dumps([ours(mine), ours(fresh), float(mine.sum())]).encode())
        del mine, fresh
        os._exit(0)
    os.close(writer)
    shown = json.loads(os.read(reader, 1000)); status = os.wait()[1]
    print(json.dumps([entered, shown, status, ours(torch.ones(1 << 16)), float(mine.sum())]))
"""
        )
        self.assertEqual(told, [[""], [True, False, 65536.0], 0, True, 65536.0])

    def test_the_files_of_a_training_that_was_taken_over_go_at_its_end(self):
        self.run_job("\n    train(1); enter(); train(2)\n    print(json.dumps(entered))\n")
        self.assertEqual(watcher.files(self.directory, ".mem") + watcher.files(self.directory, ".sock"), [])

    def test_one_that_was_started_under_lacuna_cannot_be_left(self):
        script = self.script(
            "import sys; sys.path.insert(0, %r)\nimport torch, lacuna\nfrom compaction_jobs import ask\ntorch.ones(9)\n"
            "print(ask('retract').split(' text=')[0])\ntry:\n    lacuna.detach()\nexcept RuntimeError as reason:\n    print(reason)\n" % HERE
        )
        done = self.run_under([script], CUDA_VISIBLE_DEVICES="")
        self.assertEqual(done.stdout.splitlines(), ["error code=cannot", "this process was not taken over"])


if __name__ == "__main__":
    unittest.main()

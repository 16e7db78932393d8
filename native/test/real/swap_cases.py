"""Swapping: what does not fit trains, to the same bits."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import textwrap
import unittest

import watcher
from case import HERE, LIMIT_SECONDS, NATIVE, Case, environment, nightly

WORKLOADS = os.path.join(HERE, "swap_workloads.py")
MIB = 1 << 20


def bits(result):
    return result["losses"], result["weights"]


class Swapping(Case):
    def train(self, model, steps, options=(), arguments=(), **extra):
        return self.run_under([WORKLOADS, model, str(steps), *arguments], options, **extra)

    def share_of_peak(self, result, share):
        return "%dMiB" % (int(result["memory"]["peak"] * share) // (2 * MIB) * 2)

    def fails_without_and_trains_with(self, model, steps, arguments=()):
        whole = self.result(self.train(model, steps, ("--capacity", "2GiB"), arguments))
        capacity = self.share_of_peak(whole, 0.6)
        without = self.train(model, steps, ("--capacity", capacity), arguments)
        self.assertEqual(without.returncode, 1)
        self.assertIn("out of memory", without.stderr)
        done = self.train(model, steps, ("--capacity", capacity, "--swap", "on", "--link", "4GB/s,20us"), arguments)
        self.assertEqual(done.stderr, "")
        swapped = self.result(done)
        self.assertEqual(bits(swapped), bits(whole))
        memory = swapped["memory"]
        self.assertGreater(memory["rescues"], 0)
        self.assertGreater(memory["swapped_out_bytes"], 0)
        self.assertGreater(memory["copy_ns"], 0)
        self.assertEqual((memory["host_used_bytes"], memory["copy_failures"]), (0, 0))
        self.assertLessEqual(memory["peak"], int(whole["memory"]["peak"] * 0.6))

    def test_gpt_at_60_percent_of_its_peak(self):
        self.fails_without_and_trains_with("gpt", 5)

    @nightly("by day a GPT")
    def test_resnet_at_60_percent_of_its_peak(self):
        self.fails_without_and_trains_with("resnet", 6)

    @nightly("by day one batch")
    def test_several_micro_batches_before_their_backwards(self):
        self.fails_without_and_trains_with("resnet", 3, ("--micro", "3"))

    @nightly("by day it is on")
    def test_optimisation_off_too(self):
        whole = self.result(self.train("gpt", 3, ("--capacity", "2GiB", "--optimisation", "off")))
        options = ("--capacity", self.share_of_peak(whole, 0.7), "--optimisation", "off", "--swap", "on")
        self.assertEqual(bits(self.result(self.train("gpt", 3, options))), bits(whole))

    def test_everything_swapped_is_the_same_training(self):
        whole = self.result(self.train("gpt", 4, ("--capacity", "2GiB")))
        lean = self.result(self.train("gpt", 4, ("--capacity", "2GiB", "--swap", "all")))
        self.assertEqual(bits(lean), bits(whole))
        self.assertGreater(lean["memory"]["swapped_out_bytes"], 0)
        self.assertGreater(lean["memory"]["swapped_in_bytes"], lean["memory"]["swapped_out_bytes"] // 2)
        self.assertEqual(lean["memory"]["rescues"], 0)

    @nightly("by day its bits")
    def test_everything_swapped_needs_less(self):
        # Where there is room nobody waits for a copy, and a machine that copies late shows a higher peak. So no room.
        whole = self.result(self.train("gpt", 4, ("--capacity", "2GiB")))
        options = ("--capacity", self.share_of_peak(whole, 0.6), "--swap", "all")
        lean = self.result(self.train("gpt", 4, options))
        self.assertEqual(bits(lean), bits(whole))
        self.assertLessEqual(lean["memory"]["peak"], whole["memory"]["peak"] * 0.6)

    def test_an_exhausted_host_budget_is_an_error_like_before(self):
        done = self.train("gpt", 2, ("--capacity", "156MiB", "--swap", "on", "--swap-budget", "8MiB"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("out of memory", done.stderr)
        box = self.telemetry()
        self.assertGreater(box.device("host_refusals"), 0)
        self.assertLessEqual(box.device("host_used_bytes"), 8 * MIB)


class WhatIsSwapped(Case):
    HEAD = """
import time
import lacuna
def settled():  # what leaves has left
    until = time.monotonic() + 20
    while lacuna.swap_stats("cpu")["swapping_out_bytes"] and time.monotonic() < until:
        time.sleep(0.01)
"""

    def run_script(self, text, *options):
        script = self.script(self.HEAD + textwrap.dedent(text))
        done = self.run_under([script], ("--capacity", "1GiB", "--swap", "all", *options))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_allocated_falls_by_the_bytes_swapped(self):
        out = self.run_script(
            """
            import torch, lacuna, time
            class Model(torch.nn.Module):
                def __init__(self):
                    super().__init__()
                    self.layers = torch.nn.ModuleList([torch.nn.Linear(1024, 1024) for _ in range(4)])
                def forward(self, x):
                    for layer in self.layers:
                        x = torch.sigmoid(layer(x))
                        settled()
                    print(json.dumps([lacuna.memory_allocated("cpu"), lacuna.swap_stats("cpu")]))
                    return x
            import json
            model = Model()
            x = torch.randn(1024, 1024)
            before = lacuna.memory_allocated("cpu")
            model(x).sum().backward()
            print(before)
            """
        )
        (allocated, stats), before = [json.loads(line) for line in out.splitlines()]
        # Four sigmoids' results: the last is still the model's own, what came before is on the host.
        self.assertEqual(stats["swapped_out_bytes"] % (4 * MIB), 0)
        self.assertGreaterEqual(stats["swapped_out_bytes"], 12 * MIB)
        self.assertEqual(stats["host_used_bytes"], stats["swapped_out_bytes"] + stats["swapping_out_bytes"])
        # Without swapping there would be five: the last linear's result and the sigmoids' before it.
        self.assertLessEqual(allocated, before + 8 * MIB)

    def test_views_slices_and_types_come_back_bit_for_bit(self):
        self.run_script(
            """
            import torch
            def pieces(seed):
                torch.manual_seed(seed)
                whole = torch.randn(1024, 1024)
                yield whole.t(), whole[5:900:3, ::2], whole.as_strided((700, 300), (1024, 3), 77), whole[3].expand(512, -1)
                yield whole.double(), whole.bfloat16()[::2], whole.to(torch.complex64), (whole > 0), whole.half().t()
                yield whole.to(memory_format=torch.contiguous_format), whole.reshape(4, 16, 128, 128).to(memory_format=torch.channels_last)
            class Keep(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x, seed):
                    ctx.seed = seed
                    ctx.save_for_backward(*(piece.detach() for some in pieces(seed) for piece in some))
                    return x * 1
                @staticmethod
                def backward(ctx, gradient):
                    for got, wanted in zip(ctx.saved_tensors, (piece for some in pieces(ctx.seed) for piece in some)):
                        assert got.dtype == wanted.dtype and got.shape == wanted.shape and got.stride() == wanted.stride()
                        same = got == wanted
                        assert same.all(), (got.dtype, got.shape)
                    return gradient, None
            class Model(torch.nn.Module):
                def forward(self, x):
                    for seed in range(6):
                        x = Keep.apply(x, seed)
                    return x
            for _ in range(2):
                x = torch.ones(10, requires_grad=True)
                Model()(x).sum().backward()
                assert x.grad.sum() == 10
            import lacuna
            stats = lacuna.swap_stats("cpu")
            assert stats["swapped_out_bytes"] > 0 and stats["host_used_bytes"] == 0, stats
            """
        )

    def test_tensors_that_share_a_storage_are_copied_once(self):
        out = self.run_script(
            """
            import torch, lacuna
            class Model(torch.nn.Module):
                def forward(self, x):
                    y = x * 1
                    return (y[:512] * y[512:]).sum() + (y.t() * y.t()).sum() + y.sigmoid().sum()
            import time
            x = torch.randn(1024, 1024, requires_grad=True)
            loss = Model()(x)
            settled()
            loss.backward()
            print(lacuna.swap_stats("cpu")["swapped_out_bytes"])
            assert torch.allclose(x.grad[:512], x[512:] + 2 * x[:512] + torch.sigmoid(x[:512]) * (1 - torch.sigmoid(x[:512])), atol=1e-5)
            """
        )
        self.assertEqual(int(out), 8 * MIB)  # y, in four ways, and its sigmoid

    def test_a_tensor_that_was_changed_in_place_is_still_an_error(self):
        out = self.run_script(
            """
            import torch
            class Model(torch.nn.Module):
                def forward(self, x):
                    y = x.sigmoid()
                    z = (y * y).sum()
                    y.data  # looking is harmless
                    with torch.no_grad():
                        y.add_(1)
                    return z
            x = torch.randn(1024, 1024, requires_grad=True)
            try:
                Model()(x).backward()
            except RuntimeError as error:
                print(error)
            """
        )
        self.assertIn("modified by an inplace operation", out)

    def test_backward_twice(self):
        self.run_script(
            """
            import torch
            model = torch.nn.Sequential(*(torch.nn.Sequential(torch.nn.Linear(512, 512), torch.nn.Tanh()) for _ in range(4)))
            x = torch.randn(512, 512)
            loss = model(x).sum()
            loss.backward(retain_graph=True)
            once = [p.grad.clone() for p in model.parameters()]
            loss.backward()
            for p, first in zip(model.parameters(), once):
                assert torch.equal(p.grad, first + first)
            """
        )

    def test_second_derivatives(self):
        self.run_script(
            """
            import torch
            class Model(torch.nn.Module):
                def __init__(self):
                    super().__init__()
                    self.layers = torch.nn.ModuleList([torch.nn.Linear(512, 512) for _ in range(3)])
                def forward(self, x):
                    for layer in self.layers:
                        x = torch.tanh(layer(x)) * x
                    return x
            def penalty(managed):
                torch.manual_seed(3)
                model, x = Model(), torch.randn(512, 512, requires_grad=True)
                y = x
                if managed:
                    y = model(x)
                else:
                    for layer in model.layers:
                        y = torch.tanh(torch.nn.functional.linear(y, layer.weight, layer.bias)) * y
                y = y.sum()
                (slope,) = torch.autograd.grad(y, x, create_graph=True)
                (slope ** 2).sum().backward()
                return [x.grad] + [p.grad for p in model.parameters()]
            import lacuna
            wanted = penalty(False)
            assert lacuna.swap_stats("cpu")["swapped_out_bytes"] == 0
            for got, want in zip(penalty(True), wanted):
                assert torch.equal(got, want)
            assert lacuna.swap_stats("cpu")["swapped_out_bytes"] > 0
            """
        )

    def test_adapt_brings_functions_under_management(self):
        out = self.run_script(
            """
            import time, torch, lacuna
            class Cube(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x):
                    ctx.save_for_backward(x)
                    return x ** 3
                @staticmethod
                def backward(ctx, gradient):
                    (x,) = ctx.saved_tensors
                    return 3 * x ** 2 * gradient
            x = torch.randn(512, 1024, requires_grad=True)
            def train(call):
                y = call(Cube, x * 1)
                settled()
                z = call(Cube.apply, y)
                settled()
                (slope,) = torch.autograd.grad(z.sum(), x)
                return slope
            wanted = train(lambda function, value: getattr(function, "apply", function)(value))
            assert lacuna.swap_stats("cpu")["swapped_out_bytes"] == 0
            assert torch.equal(train(lacuna.adapt), wanted)
            print(lacuna.swap_stats("cpu")["swapped_out_bytes"])
            """
        )
        self.assertGreaterEqual(int(out), 2 * MIB)

    def test_a_model_can_be_saved_whole_and_children_train_without(self):
        self.run_script(
            """
            import io, os, torch, lacuna
            model = torch.nn.Sequential(*(torch.nn.Linear(512, 512) for _ in range(3)))
            x = torch.randn(512, 512)
            loss = model(x).sum()
            torch.save(model, io.BytesIO())
            pid = os.fork()
            if pid == 0:
                before = lacuna.swap_stats("cpu")["swapped_out_bytes"]
                model(x).sum().backward()
                once = [p.grad.clone() for p in model.parameters()]
                loss.backward()
                same = all(torch.equal(p.grad, first + first) for p, first in zip(model.parameters(), once))
                os._exit(0 if same and lacuna.swap_stats("cpu")["swapped_out_bytes"] == before else 1)
            assert os.waitpid(pid, 0)[1] == 0
            loss.backward()
            """
        )


class Compared(Case):
    """Scripts that print the same with swapping as without."""

    HEAD = """
import hashlib, sys, time
import torch, torch.nn as nn
N = 1024
def digest(*tensors):
    whole = hashlib.sha256()
    for tensor in tensors:
        whole.update(tensor.detach().contiguous().numpy().tobytes())
    return whole.hexdigest()
class Layer(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function
    def forward(self, x):
        return self.function(x)
class Layers(nn.Module):
    def __init__(self, *functions):
        super().__init__()
        self.layers = nn.ModuleList([Layer(function) for function in functions])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            time.sleep(0.05)
        return x
def swapped():
    try:
        import lacuna
        return lacuna.swap_stats("cpu")["swapped_out_bytes"]
    except (ImportError, LookupError):
        return None
torch.manual_seed(1)
x = torch.randn(N, N, requires_grad=True)
def outcome(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        return "modified by an inplace operation" in str(error)
    return digest(x.grad)
"""

    def both(self, text, *options, said="", mode="all"):
        path = self.script("")
        with open(path, "w") as file:
            file.write(self.HEAD + textwrap.dedent(text))
        plain = self.run_plain([path], LACUNA_SWAP_SMALLEST="4096", PYTHONPATH="")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        managed = self.run_under([path], ("--capacity", "1GiB", "--swap", mode, *options), LACUNA_SWAP_SMALLEST="4096")
        self.assertEqual((managed.returncode, managed.stdout), (0, plain.stdout), managed.stderr)
        self.assertEqual(managed.stderr, said)


class LikePlain(Compared):
    def test_an_input_buffer_that_is_filled_again_while_it_leaves(self):
        self.both(
            """
            model, given, out = nn.Sequential(nn.Linear(N, N, bias=False)), torch.empty(N, N), None
            for step in range(2):
                given.copy_(torch.randn(N, N))
                out = model(given)
                time.sleep(0.3)
            model(torch.randn(N, N))
            time.sleep(1)
            model(torch.randn(N, N))
            out.sum().backward()
            print(digest(model[0].weight.grad))
            assert swapped() != 0
            """,
            "--link", "8MB/s",
        )  # fmt: skip

    def test_slices_of_one_workspace_that_are_written_one_after_the_other(self):
        self.both(
            """
            whole = torch.zeros(2, N, N)
            first, second = whole.data[0], whole.data[1]
            def fill_first(x):
                first.fill_(2)
                return x * first
            def fill_second(x):
                second.fill_(3)
                return x * second
            def wait(x):
                time.sleep(2)
                return x + 0
            def soon(x):
                time.sleep(0.6)
                return x + 1
            y = Layers(fill_first, soon, fill_second, wait, lambda x: x + 0)(x)
            del first, second, whole
            y.sum().backward()
            print(x.grad.unique().tolist())
            """,
            "--link", "10MB/s",
        )  # fmt: skip

    def test_what_was_written_past_autograd_after_it_left_counts(self):
        self.both(
            """
            aside, sized = torch.randn(N, N), torch.randn(N, N)
            y = Layers(lambda x: x * aside, lambda x: x * sized, torch.sigmoid, lambda x: x * 1)(x)
            time.sleep(0.2)
            aside.data.mul_(2)
            kept, storage = sized.clone(), sized.storage()
            size = len(storage)
            storage.resize_(0)
            storage.resize_(size)
            sized.data.copy_(kept * 3)
            print(outcome(y))
            assert swapped() != 0
            """
        )

    def test_what_was_changed_in_place_after_it_left_is_an_error(self):
        self.both(
            """
            kept = []
            def save(x):
                kept.append(x * 1)
                return kept[0] * kept[0]
            y = Layers(save, lambda x: x * 2, lambda x: x + 1)(x)
            time.sleep(0.3)
            with torch.no_grad():
                kept[0].add_(1)
            kept.clear()
            print(outcome(y))
            assert swapped() != 0
            """
        )

    def test_what_backward_changes_in_place_is_an_error_in_the_next(self):
        self.both(
            """
            class Rude(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x):
                    ctx.save_for_backward(x)
                    return x * 1
                @staticmethod
                def backward(ctx, gradient):
                    (x,) = ctx.saved_tensors
                    with torch.no_grad():
                        return x.detach().mul_(gradient)
            class RudeAside(Rude):
                @staticmethod
                def backward(ctx, gradient):
                    (x,) = ctx.saved_tensors
                    x.data.mul_(2)
                    return x * gradient
            for function in Rude, RudeAside:
                x.grad = None
                y = Layers(lambda x: x * 1, function.apply, torch.sigmoid)(x).sum()
                for _ in range(3):
                    try:
                        y.backward(retain_graph=True)
                        print(digest(x.grad))
                    except RuntimeError as error:
                        print("modified by an inplace operation" in str(error))
            assert swapped() != 0
            """
        )

    def test_functorch_inside_a_module(self):
        self.both(
            """
            import functorch
            weight = torch.randn(N, N)
            def slope(x):
                return functorch.grad(lambda v: (v @ weight).sigmoid().sum())(x) * x
            print(outcome(Layers(slope, torch.sigmoid, slope, lambda x: x * 1)(x)))
            assert swapped() != 0
            """
        )

    def test_the_scripts_own_hooks_are_its_own(self):
        self.both(
            """
            model, packed = nn.Sequential(*(nn.Sequential(nn.Linear(N, N), nn.Sigmoid()) for _ in range(3))), []
            def pack(tensor):
                packed.append(tensor.shape)
                return tensor.half() if tensor.is_floating_point() else tensor
            for _ in range(2):
                with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor.float()):
                    y = model(x)
                print(len(packed), outcome(y))
            print(outcome(model(x)))
            assert swapped() != 0
            """,
            said="lacuna: a forward within the script's own hooks for saved tensors is left to them\n",
        )

    def test_a_tensor_that_cannot_leave_ends_nothing(self):
        path = self.script("")
        with open(path, "w") as file:
            file.write(self.HEAD + textwrap.dedent(
                """
                import torch.autograd.forward_ad as forward
                model = nn.Sequential(nn.Linear(N, N), nn.Tanh(), nn.Linear(N, N), nn.Sigmoid())
                with forward.dual_level():
                    y = model(forward.make_dual(x, torch.ones(N, N)))
                    forward.unpack_dual(y).tangent.sum().backward()
                print(digest(x.grad))
                before = swapped()
                model(x).sum().backward()
                assert before is None or swapped() > before
                """
            ))  # fmt: skip
        plain, managed = self.run_plain([path], PYTHONPATH=""), self.run_under([path], ("--capacity", "1GiB", "--swap", "all"))
        self.assertEqual((managed.returncode, managed.stdout), (0, plain.stdout), managed.stderr)
        self.assertNotIn("nothing more is swapped", managed.stderr)

    def test_no_block_for_a_tensor_asked_ahead_of_need_means_not_now(self):
        self.both(
            """
            model = nn.Sequential(*(nn.Sequential(nn.Linear(N, N), nn.Tanh()) for _ in range(6)))
            refused = []
            def refuse():
                swap = sys.modules["_lacuna_swap.manager"].Manager
                made, ahead = swap.new_storage, swap._fetch_ahead
                def fetch(self, stored):
                    def storage(size, device):
                        refused.append(size)
                        raise RuntimeError("[enforce fail] out of memory")
                    self.new_storage = storage
                    try:
                        ahead(self, stored)
                    finally:
                        del self.new_storage
                swap._fetch_ahead = fetch
            for step in range(3):
                if step == 1 and swapped() is not None:
                    refuse()
                x.grad, before = None, swapped()
                y = model(x)
                time.sleep(0.2)
                print(outcome(y))
                assert swapped() is None or swapped() > before
            assert swapped() is None or refused
            """
        )

    def test_time_outs_of_the_script_reach_it_and_swapping_goes_on(self):
        self.both(
            """
            import signal
            class TimeOut(Exception):
                pass
            def strike(number, frame):
                raise TimeOut()
            signal.signal(signal.SIGALRM, strike)
            model = nn.Sequential(*(nn.Sequential(nn.Linear(64, 64), nn.Tanh()) for _ in range(12)))
            small, struck = torch.randn(64, 64), 0
            for turn in range(80):
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.0015 + 0.00005 * turn)
                    while True:
                        model(small)
                except TimeOut:
                    struck += 1
            print(struck)
            before = swapped()
            model(small).sum().backward()
            assert before is None or swapped() > before
            """
        )


def order_alone():
    spec = importlib.util.spec_from_file_location("order", os.path.join(NATIVE, "python", "lacuna", "swap", "order.py"))
    order = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(order)
    return order


class Leads(unittest.TestCase):
    def test_a_tensor_that_came_late_is_asked_for_earlier_next_time(self):
        order = order_alone()
        leads = order.Leads()
        seen = [leads.of("late")]
        for _ in range(12):
            leads.late("late")
            seen.append(leads.of("late"))
        self.assertEqual(seen[:5], [2, 3, 4, 6, 9])
        self.assertEqual(seen[-1], order.LONGEST_LEAD)
        self.assertEqual(leads.of("other"), order.FIRST_LEAD)
        leads.early("late")
        self.assertEqual(leads.of("late"), order.LONGEST_LEAD - 1)

    def test_where_much_goes_again_before_it_is_used_nothing_is_asked_for_so_early(self):
        order = order_alone()
        leads = order.Leads()

        def step(early):
            for n in range(early):
                leads.early("crowded out %d" % n)
            for _ in range(6):
                leads.late("late")
            leads.step_over()
            return leads.of("late")

        self.assertGreater([step(order.FEW_EARLY) for _ in range(4)][-1], 20, "a few are no matter")
        steps = [step(4) for _ in range(6)]
        self.assertEqual(steps[-1], order.FIRST_LEAD)
        calm = [step(0) for _ in range(order.FIRST_WAIT + 1)]
        self.assertEqual(calm[-2:], [order.FIRST_LEAD, order.FIRST_LEAD + 1], "tried once more")
        self.assertEqual(step(4), order.FIRST_LEAD)
        longer = [step(0) for _ in range(2 * order.FIRST_WAIT + 1)]
        self.assertEqual(longer[-2:], [order.FIRST_LEAD, order.FIRST_LEAD + 1], "after a longer while")

    def test_what_a_policy_counted_on_is_halved_as_any_lead_is(self):
        order = order_alone()
        leads = order.Leads(order.PLANNED_LEAD)
        for n in range(order.FEW_EARLY + 1):
            for _ in range(order.PLANNED_LEAD):
                leads.early("crowded out %d" % n)
        leads.step_over()
        self.assertEqual(leads.of("other"), order.PLANNED_LEAD // 2)

    def test_who_compares_policies_by_turns_goes_on_with_what_was_learnt_under_each(self):
        order = order_alone()
        known = order.LeadsByPolicy()
        self.assertEqual(known.under("").of("any"), order.FIRST_LEAD)
        one = known.under("KS")
        self.assertEqual(one.of("any"), order.PLANNED_LEAD)
        one.late("any")
        self.assertIsNot(known.under("KR"), one)
        self.assertIs(known.under("KS"), one)
        for number in range(order.MOST_POLICIES):
            known.under("K" * number)
        self.assertIsNot(known.under("KS"), one, "only those of late")


def node_processors(node):
    """Empty where the machine tells no nodes."""
    try:
        with open("/sys/devices/system/node/node%d/cpulist" % node) as file:
            ranges = [part.split("-") for part in file.read().strip().split(",") if part]
    except OSError:
        return set()
    return {cpu for ends in ranges for cpu in range(int(ends[0]), int(ends[-1]) + 1)}


def threads_of(pid):
    """(name, processors that it may use) of each."""
    for number in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/comm" % (pid, number)) as file:
            yield file.read().strip(), os.sched_getaffinity(int(number))


class LiveSwap(Case):
    @nightly("by day it is switched without a pause, and swapped throughout")
    def test_switched_on_off_and_rebudgeted_while_readers_come_and_die(self):
        steps = 8
        wanted = self.result(self.run_plain([WORKLOADS, "gpt", str(steps)]))
        options = ("--capacity", "300MiB", "--link", "2GB/s")
        process = self.start_under([WORKLOADS, "gpt", str(steps), "--hold"], options)
        changes = ["swap=all", "swap-budget=64MiB", "swap=off", "swap=on swap-budget=1GiB", "swap=all", "swap=off", "swap=all"]
        seen = 0
        for step in range(steps):
            self.assertEqual(process.stdout.readline(), "step %d\n" % step)
            if step == 0:
                (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"))
                control = watcher.Control(socket)
            else:
                reply = control.ask("set force=yes by=test " + changes[step - 1])  # no step is known under one of them: the guard would not
                self.assertTrue(reply.startswith("ok "), reply)
                layers = control.ask("layers")
                self.assertTrue(layers.startswith("ok first=0 "), layers)
                seen += "blocks.0:" in layers
            reader = self.start_reader()
            process.stdin.write("\n")
            process.stdin.flush()
            os.kill(reader.pid, signal.SIGKILL)
            reader.wait()
        control.close()
        out, err = process.communicate(timeout=LIMIT_SECONDS)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(bits(json.loads(out)), bits(wanted))
        self.assertGreater(seen, 0)

    def test_only_the_threads_that_copy_are_bound(self):
        everywhere = os.sched_getaffinity(0)
        cases = [({}, "numa_node=none numa=virtual", everywhere)]
        near = node_processors(0) & everywhere
        if near:
            cases.append(({"LACUNA_NUMA_NODE": "0"}, "numa_node=0 numa=bound", near))
        for extra, wanted, there in cases:
            process = self.start_under([WORKLOADS, "gpt", "2", "--hold"], ("--capacity", "1GiB", "--swap", "all"), **extra)
            self.assertEqual(process.stdout.readline(), "step 0\n")
            process.stdin.write("\n")
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), "step 1\n")
            (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"))
            control = watcher.Control(socket)
            self.assertIn(" " + wanted, control.ask("get") + " ")
            control.close()
            bound = {name: processors for name, processors in threads_of(process.pid) if name.startswith("lacuna-")}
            self.assertEqual((bound["lacuna-out"], bound["lacuna-in"]), (there, there))
            self.assertEqual(os.sched_getaffinity(process.pid), everywhere)
            out, err = process.communicate("\n", timeout=LIMIT_SECONDS)
            self.assertEqual((process.returncode, err), (0, ""))

    def test_measuring_leaves_functorch_alone(self):
        process = self.start_under([self.script(
            """
            import torch, functorch
            class Slope(torch.nn.Module):
                def forward(self, x):
                    return functorch.grad(lambda v: (v * v).sigmoid().sum())(x) * x
            model, x = torch.nn.Sequential(Slope(), Slope()), torch.randn(64, 64, requires_grad=True)
            model(x).sum().backward()
            print("ready", flush=True)
            input()
            once, x.grad = x.grad, None
            model(x).sum().backward()
            print(torch.equal(x.grad, once))
            """
        )], ("--capacity", "1GiB"))  # fmt: skip
        self.assertEqual(process.stdout.readline(), "ready\n")
        (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"))
        control = watcher.Control(socket)
        self.assertIn(" measuring=yes ", control.ask("profile"))
        control.close()
        out, err = process.communicate("\n", timeout=LIMIT_SECONDS)
        self.assertEqual((process.returncode, out, err), (0, "True\n", ""))

    def start_reader(self):
        """Somebody who maps the file and asks on the socket, until he is killed in the middle of it."""
        text = "import sys, watcher\np = watcher.files(sys.argv[1], '.sock')[0]\nwhile True:\n c = watcher.Control(p); c.ask('get'); c.close()"
        return subprocess.Popen(
            [sys.executable, "-c", text, self.directory], env=environment(self.directory, PYTHONPATH=HERE),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

"""Compaction: what outlives steps moves to the side that serves, to the same bits, and nothing moves that somebody may know."""

import json

from case import HERE, NIGHTLY, Case, nightly
from compaction_runs import CHUNK_MIB, JOBS, Way, compacted, rehearsed, trained, trains
from compaction_steps import SWITCHED
from cuda_cases import OnCuda
from switch_replay import Recording, Replay

KINDS = ("transformer", "fixed", "frozen", "convolution", "recurrent")
# Their shapes vary so widely that under PyTorch's rules the smallest cap depends on where in a segment what stays came to lie.
WIDE = ("perceptron", "translation", "segmentation", "experts", "autoencoder")
LARGE = ("language", "resnet")  # 250 MiB and more
SCALE = 16  # of replays: a hundredth is more than a chunk


def stays(told):
    """{reason: storages} of what the agent says."""
    return {key[len("stayed.") :]: int(value.partition(":")[0]) for key, value in told.items() if key.startswith("stayed.")}


class Moves(Case):
    def compare(self, kind, to):
        """A job that was switched in its course and compacted beside one that began so."""
        _, _, wanted = rehearsed(kind, Way(to))
        _, told, bits = rehearsed(kind, compacted(to))
        self.assertEqual(bits, wanted)
        self.assertEqual((told["state"], told["left"], stays(told)), ("done", "0", {}))
        self.assertGreater(int(told["moved"]), 30)

    def compare_caps(self, kind, to):
        """The same of the smallest cap, replayed from a recording."""
        recording = Recording([JOBS, kind])
        best = Replay(recording, to, scale=SCALE).smallest_mib(SCALE * 40)
        lowest = Replay(recording, "off" if to == "on" else "on", to, True, SCALE).smallest_mib(best)
        self.assertLessEqual(lowest, best * 1.01)

    @nightly("by day what moves is counted")
    def test_switched_on_and_compacted_all_moves_and_bits_are_those_of_on_from_the_start(self):
        for kind in KINDS + WIDE:
            with self.subTest(kind):
                self.compare(kind, "on")

    @nightly("the same trainings as switched on")
    def test_switched_off_and_compacted_all_moves_and_bits_are_those_of_off_from_the_start(self):
        for kind in KINDS + WIDE:
            with self.subTest(kind):
                self.compare(kind, "off")

    def test_switched_on_and_compacted_the_smallest_cap_is_within_a_hundredth_of_on_from_the_start(self):
        for kind in KINDS + WIDE if NIGHTLY else ("convolution",):
            with self.subTest(kind):
                self.compare_caps(kind, "on")

    def test_switched_off_and_compacted_the_smallest_cap_is_within_a_hundredth_of_off_from_the_start(self):
        for kind in KINDS + WIDE if NIGHTLY else ("experts",):
            with self.subTest(kind):
                self.compare_caps(kind, "off")

    def test_switched_off_what_moves_lies_closer_than_in_segments_of_20_mib(self):
        done = self.run_under([self.script(CLOSE % HERE)], ("--capacity", "1GiB"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        moved, run = json.loads(done.stdout)
        self.assertGreaterEqual(moved, 36)
        self.assertGreater(run, 12)  # blocks of 1.56 MiB: thirteen are more than a segment

    @nightly("some ten trainings")
    def test_at_a_gentle_pace_it_comes_to_the_same(self):
        bits = set()
        best = trained("perceptron", Way("on"), bits)
        self.assertTrue(trains("perceptron", compacted("on", "gentle"), best + CHUNK_MIB, bits))
        self.assertEqual(len(bits), 1)

    def test_on_the_side_that_serves_nothing_moves(self):
        _, told, _ = rehearsed("perceptron", Way("on", "compact,pace=at-once@%d" % SWITCHED))
        self.assertEqual((told["state"], told["moved"], stays(told)), ("done", "0", {}))

    @nightly("some thirty trainings")
    def test_the_smallest_cap_with_which_it_trains_on_is_that_of_on_from_the_start(self):
        for kind in ("transformer", "perceptron", "recurrent", "segmentation", "experts"):
            with self.subTest(kind):
                self.assertTrue(trains(kind, compacted("on"), trained(kind, Way("on")) + CHUNK_MIB))

    @nightly("some ten long trainings; by day a chunk of 2 MiB is more than a hundredth")
    def test_where_a_hundredth_is_more_than_a_chunk_the_smallest_cap_is_within_it(self):
        for kind in LARGE:
            with self.subTest(kind):
                bits = set()
                best = trained(kind, Way("on"), bits)
                self.assertGreaterEqual(best, 250)
                self.assertTrue(trains(kind, compacted("on"), best * 1.01, bits))
                self.assertEqual(len(bits), 1)


# Trains, is switched off and compacted, and prints how much moved and how many weights and moments lie side by side at most.
CLOSE = """
    import json, sys
    import torch
    from torch import nn
    sys.path.insert(0, %r)
    from compaction_jobs import ask, figures
    model = nn.Sequential(*(nn.Linear(640, 640, bias=False) for _ in range(12)))
    optimizer = torch.optim.Adam(model.parameters())

    def train(steps):
        for _ in range(steps):
            optimizer.zero_grad()
            model(torch.randn(1, 640)).pow(2).mean().backward()
            optimizer.step()

    train(3)
    ask("set optimisation=off force=yes")
    ask("compact pace=at-once")
    train(4)
    told = figures(ask("compaction"))
    state = [value for each in optimizer.state.values() for value in each.values() if torch.is_tensor(value) and value.dim() > 0]
    places = sorted(tensor.data_ptr() for tensor in [*model.parameters(), *state])
    longest = run = 1
    for lower, upper in zip(places, places[1:]):
        run = run + 1 if upper - lower == 640 * 640 * 4 else 1
        longest = max(longest, run)
    print(json.dumps([int(told["moved"]), longest]))
"""

# Trains, is switched on and compacted, and prints what stays; what keeps it from moving comes before.
STAYING = """
    import json, sys, threading, time
    import torch
    from torch import nn
    sys.path.insert(0, %r)
    from compaction_jobs import ask, figures
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(300, 300), nn.ReLU(), nn.Linear(300, 300))
    optimizer = torch.optim.Adam(model.parameters())

    def train(steps):
        for _ in range(steps):
            optimizer.zero_grad()
            model(torch.randn(32, 300)).pow(2).mean().backward()
            optimizer.step()

    train(3)
    before = {}
    def state():
        return [value for each in optimizer.state.values() for value in each.values() if torch.is_tensor(value)]
    %s
    ask("set optimisation=on force=yes")
    ask("compact pace=at-once")
    train(%d)
    told = figures(ask("compaction"))
    %s
    print(json.dumps(told))
"""


class Stays(Case):
    """One reason each not to move."""

    limit_seconds = 120

    def stayed(self, holding, after="", steps=8):
        text = STAYING % (HERE, holding, steps, after)
        done = self.run_under([self.script(text)], ("--capacity", "1GiB", "--optimisation", "off"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        told = json.loads(done.stdout)
        self.assertEqual(told["state"], "done")
        return stays(told), int(told["moved"])

    def assertIsGivenAway(self, found):
        """One storage; versions differ in whether it is a tensor of its own that was given away."""
        self.assertIn(found, ({"exported": 1}, {"shared": 1}))

    def test_nothing_that_is_in_the_way_keeps_nothing(self):
        found, moved = self.stayed("")
        self.assertEqual(found, {})
        self.assertGreaterEqual(moved, 12)

    def test_a_view_that_the_script_holds_keeps_its_storage(self):
        found, moved = self.stayed("view = model[0].weight.detach()[:10]; address = view.data_ptr()", "assert view.data_ptr() == address")
        self.assertEqual(found, {"shared": 1})
        self.assertGreater(moved, 8)

    def test_what_autograd_has_saved_keeps_its_storage(self):
        found, _ = self.stayed("loss = model(torch.randn(8, 300).requires_grad_()).pow(2).mean()", "loss = None")
        self.assertGreaterEqual(found["shared"], 1)

    def test_an_array_of_numpy_keeps_what_it_looks_at(self):
        found, _ = self.stayed(
            "array = state()[1].numpy(); address = array.ctypes.data",
            "assert array.ctypes.data == address and array.flat[5] == state()[1].flatten()[5]",
        )
        self.assertIsGivenAway(found)

    def test_a_capsule_of_dlpack_keeps_what_it_leads_to(self):
        found, _ = self.stayed("capsule = torch.utils.dlpack.to_dlpack(state()[2])", "del capsule")
        self.assertIsGivenAway(found)

    def test_what_an_object_of_the_scripts_own_keeps_stays(self):
        found, moved = self.stayed(
            "class Reader:\n        def __init__(self, tensor): self.tensor, self.address = tensor, tensor.data_ptr()\n"
            "    readers = [Reader(state()[1]), Reader(state()[2])]",
            "assert all(each.tensor.data_ptr() == each.address for each in readers)",
        )
        self.assertEqual(found, {"exported": 2})
        self.assertGreater(moved, 8)

    def test_a_frozen_weight_in_containers_of_the_script_moves_and_one_in_an_array_stays(self):
        found, _ = self.stayed(
            "frozen = nn.Linear(200, 200).requires_grad_(False); model.add_module('extra', nn.Sequential(nn.Linear(300, 200), frozen));"
            "mine = {'weights': [frozen.weight]}; array = frozen.bias.numpy()"
        )
        self.assertIsGivenAway(found)

    def test_a_buffer_of_a_module_moves_and_one_in_an_array_stays(self):
        found, _ = self.stayed(
            "extra = nn.BatchNorm1d(300); model.add_module('extra', extra); train(2); address = extra.running_var.data_ptr();"
            "array = extra.running_mean.numpy()",
            "assert extra.running_var.data_ptr() != address and array.ctypes.data == extra.running_mean.data_ptr()",
        )
        self.assertIsGivenAway(found)

    def test_memory_of_somebody_else_stays(self):
        found, _ = self.stayed(
            "import numpy; mapped = numpy.ones((300, 300), 'float32'); model[2].weight.data = torch.from_numpy(mapped)",
            "assert model[2].weight.data_ptr() == mapped.ctypes.data",
        )
        self.assertEqual(found, {"foreign": 1})

    def test_shared_memory_stays(self):
        found, _ = self.stayed("model[2].weight.share_memory_()")
        self.assertEqual(sum(found.values()), 1)
        self.assertLessEqual(set(found), {"foreign", "exported"})

    def test_a_library_that_keeps_addresses_keeps_everything(self):
        found, moved = self.stayed("import types; sys.modules['cupy'] = types.ModuleType('cupy')")
        self.assertEqual((set(found), moved), ({"library"}, 0))

    def test_a_thread_at_work_keeps_everything_until_patience_ends(self):
        found, moved = self.stayed(
            "over = []\n"
            "    def work():\n"
            "        while not over: torch.randn(400, 400).sum(); time.sleep(0)\n"
            "    other = threading.Thread(target=work); other.start()",
            "over.append(1); other.join()",
            steps=70,
        )
        self.assertEqual((set(found), moved), ({"threads"}, 0))

    def test_a_thread_that_waits_keeps_nothing(self):
        found, moved = self.stayed("e = threading.Event(); other = threading.Thread(target=e.wait); other.start()", "e.set(); other.join()")
        self.assertEqual(found, {})
        self.assertGreater(moved, 8)

    def test_a_subclass_of_tensors_stays(self):
        found, _ = self.stayed(
            "class Odd(torch.Tensor): pass\n"
            "    each = next(iter(optimizer.state.values())); each['exp_avg'] = each['exp_avg'].as_subclass(Odd)"
        )
        self.assertEqual(found, {"kind": 1})

    def test_where_there_is_no_room_for_a_copy_it_stays_and_nothing_fails(self):
        text = STAYING % (HERE, "model.add_module('extra', nn.Linear(300, 20000).requires_grad_(False))", 8, "")
        text = text.replace("model(torch", "model[:3](torch").replace(
            'ask("compact pace',
            'reserved = int(figures(ask("get"))["reserved_bytes"]); ask("set fraction=%r force=yes" % ((reserved + 8e6) / (1 << 30))); model(torch.randn(2, 300)); '
            'ask("compact pace',
        )
        done = self.run_under([self.script(text)], ("--capacity", "1GiB", "--optimisation", "off"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        told = json.loads(done.stdout)
        self.assertEqual((told["state"], set(stays(told))), ("done", {"memory"}))


class Script(Case):
    """What a script may ask for itself."""

    def test_a_script_empties_the_cache_sets_a_cap_and_compacts(self):
        script = self.script(
            """
            import torch, lacuna
            from torch import nn
            for bad in (0, 1.5, -1):
                try:
                    lacuna.set_per_process_memory_fraction(bad, "cpu")
                    raise SystemExit("took %r" % bad)
                except ValueError:
                    pass
            model = nn.Linear(512, 512)
            optimizer = torch.optim.Adam(model.parameters())
            big = torch.ones(1 << 24)
            del big
            held = lacuna.memory_reserved("cpu")
            lacuna.empty_cache("cpu")
            print(held - lacuna.memory_reserved("cpu") >= 64 << 20)
            lacuna.set_per_process_memory_fraction(0.125, "cpu")
            try:
                torch.ones(1 << 25)
            except RuntimeError as refused:
                print("128.00 MiB" in str(refused), lacuna.memory_stats("cpu")["num_ooms"])
            lacuna.compact("cpu", at_once=True)
            for _ in range(3):
                model(torch.randn(8, 512)).sum().backward()
                optimizer.step()
            """
        )
        done = self.run_under([script], ("--capacity", "512MiB"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "True\nTrue 1\n", ""))


class StaysOnDevices(OnCuda):
    """On CUDA the front exchanges what storages refer to."""

    JOB = """
        import json, sys, warnings
        warnings.simplefilter("ignore")
        import torch
        from torch import nn
        sys.path.insert(0, %r)
        from compaction_jobs import ask, figures
        model = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1024)).cuda()
        optimizer = torch.optim.Adam(model.parameters())
        fill = {}

        def train(steps):
            for _ in range(steps):
                optimizer.zero_grad()
                model(torch.randn(32, 1024).cuda()).pow(2).mean().backward()
                optimizer.step()

        train(3)
        ask("set optimisation=on force=yes")
        %s
        for n, parameter in enumerate(model.parameters()):
            parameter.data.copy_(torch.full(parameter.shape, n + 0.5))
        addresses = [parameter.data_ptr() for parameter in model.parameters()]
        ask("compact pace=at-once")
        train(12)  # what has no room is tried at three ends, and an end at which another thread is at work is none
        kept = [bool((parameter.detach().cpu() == n + 0.5).all()) for n, parameter in enumerate(model.parameters())]
        same = [parameter.data_ptr() == address for parameter, address in zip(model.parameters(), addresses)]
        told = figures(ask("compaction"))
        print(json.dumps([told, kept, same]))
    """

    def compact(self, before="", **extra):
        done = self.run_under([self.script(self.JOB % (HERE, before))], ("--optimisation", "off"), **self.setting(**extra))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_weights_move_with_their_bytes(self):
        told, kept, same = self.compact()
        self.assertEqual((told["state"], stays(told), kept, same), ("done", {}, [True] * 4, [False] * 4))
        self.assertGreaterEqual(int(told["moved"]), 12)

    def test_nothing_moves_while_a_graph_lives_and_all_when_it_is_gone(self):
        capture = "graph = torch.cuda.CUDAGraph()\n        with torch.cuda.graph(graph): inside = torch.empty(4, device='cuda')"
        told, kept, same = self.compact(capture)
        self.assertEqual((told["state"], set(stays(told)), kept, same), ("done", {"graph"}, [True] * 4, [True] * 4))
        told, kept, same = self.compact(capture + "\n        graph.reset(); del graph, inside; torch.cuda.empty_cache()")
        self.assertEqual((told["state"], stays(told), kept, same), ("done", {}, [True] * 4, [False] * 4))

    def test_nothing_moves_under_a_graph_that_outlives_its_mem_pool(self):
        """It has memory of its own nowhere: a snapshot does not tell of it."""
        capture = (
            "if not hasattr(torch.cuda, 'MemPool'): sys.exit(77)\n        pool, graph = torch.cuda.MemPool(), torch.cuda.CUDAGraph()\n"
        )
        capture += "        with torch.no_grad(), torch.cuda.graph(graph, pool=pool.id): model[0].weight.add_(0)\n        del pool"
        done = self.run_under([self.script(self.JOB % (HERE, capture))], ("--optimisation", "off"), **self.setting())
        if done.returncode == 77:
            self.skipTest("no MemPool")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        told, kept, same = json.loads(done.stdout)
        self.assertEqual((told["state"], set(stays(told)), kept, same), ("done", {"graph"}, [True] * 4, [True] * 4))

    def test_what_another_process_was_given_stays(self):
        told, kept, same = self.compact("handle = model[0].weight.untyped_storage()._share_cuda_()", TORCH_CPP_LOG_LEVEL="ERROR")
        self.assertEqual((stays(told), kept, same), ({"foreign": 1}, [True] * 4, [True, False, False, False]))

    def test_what_would_come_to_native_again_stays_where_a_tracker_follows_that(self):
        follow = "import torch.distributed\n        torch.distributed.init_process_group('nccl', store=torch.distributed.HashStore(), rank=0, world_size=1)"
        told, kept, same = self.compact(follow, TORCH_NCCL_USE_TENSOR_REGISTER_ALLOCATOR_HOOK="1", TORCH_CPP_LOG_LEVEL="ERROR")
        self.assertEqual((told["state"], told["moved"], set(stays(told)), kept, same), ("done", "0", {"foreign"}, [True] * 4, [True] * 4))

    def test_what_the_serving_side_has_no_room_for_stays_where_it_is(self):
        fill = "fill = torch.empty(1, device='cuda'); torch.cuda.empty_cache()\n"
        fill += (
            "        ask('set fraction=%.9f force=yes' % (torch.cuda.memory_reserved() / torch.cuda.get_device_properties(0).total_memory))"
        )
        told, kept, same = self.compact(fill)
        self.assertEqual((told["state"], set(stays(told)), kept), ("done", {"memory"}, [True] * 4))
        self.assertIn(True, same)

    CONSUMER = "class Consumer:\n            def __init__(self, tensor): self.owner, self.interface = tensor, tensor.__cuda_array_interface__\n        "

    def test_a_weight_whose_cuda_array_interface_somebody_has_stays(self):
        told, kept, same = self.compact(self.CONSUMER + "array = Consumer(model[0].weight.detach())")
        self.assertEqual((stays(told), kept, same), ({"shared": 1}, [True] * 4, [True, False, False, False]))

    def test_a_moment_whose_cuda_array_interface_somebody_has_stays(self):
        told, kept, same = self.compact(self.CONSUMER + "array = Consumer(next(iter(optimizer.state.values()))['exp_avg'])")
        self.assertEqual((stays(told), kept, same), ({"exported": 1}, [True] * 4, [False] * 4))

    def test_behind_the_pluggable_allocator_nothing_moves(self):
        told, kept, same = self.compact(LACUNA_DOOR="pluggable")
        self.assertEqual((set(stays(told)) - {"door"}, kept, same), (set(), [True] * 4, [True] * 4))

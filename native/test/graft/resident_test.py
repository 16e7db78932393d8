"""What is posted, looked at in this process: its layout against lacuna.h, its figures, settings, lines and guards. Started by
run.sh with every Python; needs no other process."""

import contextlib
import ctypes
import gc
import importlib.util
import os
import socket
import sys
import tempfile
import threading
import types
import unittest
import weakref
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.dirname(os.path.dirname(HERE))
BUILD = os.environ.get("LACUNA_BUILD", os.path.join(NATIVE, "build"))
sys.path.insert(0, os.path.join(HERE, "fake"))

sys.path.insert(0, os.path.join(NATIVE, "python", "lacuna", "graft"))

import torch  # noqa: E402
from text import posted  # noqa: E402

resident = types.ModuleType("resident")
exec(compile(posted(), "resident", "exec"), vars(resident))

GIB = 1 << 30


class Field(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("offset", ctypes.c_uint32), ("size", ctypes.c_uint32)]


def declared():
    """{name: (offset, size)} as the agent's library tells it."""
    library = ctypes.CDLL(os.path.join(BUILD, "liblacuna.so"))
    library.lacuna_layout.restype = ctypes.POINTER(Field)
    fields, found, n = library.lacuna_layout(), {}, 0
    while fields[n].name:
        found[fields[n].name.decode()] = (fields[n].offset, fields[n].size)
        n += 1
    return found


class Layout(unittest.TestCase):
    def test_header_and_records_are_laid_out_as_the_agent_s(self):
        told = declared()
        for name, (offset, form) in resident.FIELDS.items():
            self.assertEqual((offset, resident.struct.calcsize("<" + form)), told["header." + name], name)
        offset = 8
        for name, form in resident.RECORD:
            size = resident.struct.calcsize("<" + form)
            if "padding" not in name:
                self.assertEqual((offset, size), told["device." + name], name)
            offset += size
        self.assertEqual((0, resident.RECORD_BYTES), told["device"])
        self.assertEqual((0, resident.EVENT.size), told["event"])
        self.assertEqual((0, resident.HEADER_BYTES), told["header"])

    def test_every_field_of_a_record_is_known(self):
        names = {name for name, _ in resident.RECORD}
        missing = {n[7:] for n in declared() if n.startswith("device.")} - names - {"sequence", "reserved"}
        self.assertEqual({name for name in missing if "padding" not in name}, set())


class Counting(unittest.TestCase):
    def test_the_parts_of_the_gap_sum_to_it(self):
        f = resident.figures_of(stats(reserved=100, active=70, allocated=60, split=20, requested=55), GIB)
        self.assertEqual((f.releasable, f.split, f.pending), (10, 20, 10))

    def test_what_contradicts_itself_is_held_within_bounds(self):
        f = resident.figures_of(stats(reserved=50, active=70, allocated=60, split=90, requested=80), 10)
        self.assertLessEqual(f.requested, f.allocated)
        self.assertLessEqual(f.allocated, f.active)
        self.assertLessEqual(f.active, f.reserved)
        self.assertEqual(f.releasable + f.split + f.pending, f.reserved - f.allocated)
        self.assertGreaterEqual(f.total, f.reserved)

    def test_without_requested_bytes_what_is_allocated_counts(self):
        told = stats(reserved=50, active=40, allocated=40, split=0, requested=0)
        del told["requested_bytes"]
        self.assertEqual(resident.figures_of(told, GIB).requested, 40)

    def test_nothing_is_zero(self):
        self.assertEqual(resident.figures_of({}, GIB).reserved, 0)

    def test_the_host_has_more_reserved_than_allocated(self):
        f = resident.Host().read()
        self.assertGreater(f.reserved, 0)
        self.assertGreaterEqual(f.reserved, f.allocated)
        self.assertEqual(f.releasable + f.split + f.pending, f.reserved - f.allocated)


def stats(**bytes_):
    names = {"split": "inactive_split_bytes"}
    return {names.get(n, n + "_bytes"): {"all": {"current": v, "peak": v, "allocated": v, "freed": 0}} for n, v in bytes_.items()}


class Device:
    """What a device says, one look after the other."""

    kind, backend_index = "cuda", 0

    def __init__(self, *looks):
        self.looks = list(looks)

    def read(self):
        reserved, released = self.looks[0] if len(self.looks) == 1 else self.looks.pop(0)
        return resident.Figures(total=GIB, reserved=reserved, allocated=reserved // 2, peak_reserved=900, released=released)


class Guard(unittest.TestCase):
    def watched(self, *looks):
        w = resident.Watched(0, Device(*looks), 1.0)
        for when in range(1, len(looks)):
            w.look()
            w.end_step(when)
        return w

    def test_two_whole_steps_are_needed(self):
        self.assertEqual(self.watched((100, 0), (100, 0), (120, 0)).lowest_safe(), (900, 0))

    def test_then_their_peak_counts(self):
        self.assertEqual(self.watched((100, 0), (100, 0), (120, 0), (110, 0)).lowest_safe(), (120, 2))

    def test_where_memory_was_given_back_meanwhile_a_peak_may_have_been_missed(self):
        self.assertEqual(self.watched((100, 0), (100, 0), (120, 1), (110, 1)).lowest_safe(), (900, 0))

    def test_what_was_given_back_long_ago_does_not_matter(self):
        looks = [(100, 0), (100, 5)] + [(120, 5)] * 6
        self.assertEqual(self.watched(*looks).lowest_safe(), (120, 2))


class HowOften(unittest.TestCase):
    """A look that takes more than its share of a processor comes less often."""

    def pace(self, *spent, elsewhere=0.0):
        pace = resident.Pace(0.05)
        with mock.patch("time.thread_time", side_effect=spent):
            for _ in spent:
                pace.looked(elsewhere)
        return pace.interval

    def test_cheap_looks_come_as_often_as_asked(self):
        self.assertEqual(self.pace(1.0, 1.0001, 1.0002), 0.05)

    def test_dear_ones_as_often_as_their_share_allows(self):
        self.assertAlmostEqual(self.pace(1.0, 1.0004, 1.0008), 0.0004 / 0.005)

    def test_one_of_them_changes_little(self):
        self.assertEqual(self.pace(1.0, 1.0001, 1.0002, 1.002), 0.05)

    def test_none_waits_for_long(self):
        self.assertEqual(self.pace(1.0, 2.0), 0.5)

    def test_what_has_a_share_of_its_own_does_not_count(self):
        self.assertEqual(self.pace(1.0, 1.01, elsewhere=0.0099), 0.05)


class Lines(unittest.TestCase):
    def test_words_are_read_in_any_order_and_a_text_stands_last(self):
        self.assertEqual(resident.parse_line(b'set b=2 a=1 text="x y"'), ("set", {"b": "2", "a": "1", "text": "x y"}))

    def test_nonsense_is_refused(self):
        for line in (b"", b"get x", b"get =1", b"get a=1 a=1", b'get a="b" c=1', b"get \xff=1", b'get a="'):
            with self.assertRaises(resident.Refusal):
                resident.parse_line(line)

    def test_numbers_read_back_the_same(self):
        for value in (1.0, 0.94, 1 / 3, 1e-9, 0.1 + 0.2):
            self.assertEqual(float(resident.number_text(value)), value)
        self.assertEqual(resident.number_text(1.0), "1")

    def test_a_text_cannot_end_its_quotes(self):
        self.assertEqual(resident.words_text({"text": 'a "b" \\ \n é'}), 'text="a ?b? ? ? ?"')


class SettingsOfOne(unittest.TestCase):
    def test_settings_are_parsed_with_lists_and_printed_back(self):
        text = "a:1,b:[256:1,512:2,>:4],c:True"
        self.assertEqual(resident.parse_settings(text), {"a": "1", "b": "[256:1,512:2,>:4]", "c": "True"})
        self.assertEqual(resident.print_settings(resident.parse_settings(text)), text)
        self.assertEqual(resident.parse_settings(""), {})

    def test_a_refused_value_leaves_the_settings_as_they_were(self):
        framework = resident.Framework()
        framework.look()
        torch._C.settings = "max_split_size_mb:64"
        settings = resident.Settings(framework)
        with self.assertRaises(resident.Refusal):
            settings.change("max_split_size_mb", "nonsense")
        self.assertEqual(torch._C.settings, "max_split_size_mb:64")
        settings.change("garbage_collection_threshold", "0.8")
        settings.change("expandable_segments", "True")
        settings.put_back()
        self.assertEqual(torch._C.settings, "max_split_size_mb:64")

    def test_a_first_value_that_is_refused_is_not_kept(self):
        settings = self.settings("")
        with self.assertRaises(resident.Refusal):
            settings.change("max_split_size_mb", "nonsense")
        self.assertEqual(torch._C.settings, "")

    def test_segments_are_not_expandable_any_more_after_it_has_gone(self):
        settings = self.settings("max_split_size_mb:64")
        settings.change("expandable_segments", "True")
        self.assertTrue(torch._C.expandable)
        settings.put_back()
        self.assertEqual((torch._C.settings, torch._C.expandable), ("max_split_size_mb:64", False))

    def test_nor_when_it_is_undone_or_taken_out(self):
        settings = self.settings("")
        settings.change("expandable_segments", "True")
        settings.undo()
        self.assertEqual((torch._C.settings, torch._C.expandable), ("", False))
        settings.change("expandable_segments", "True")
        settings.change("expandable_segments", None)
        self.assertEqual((torch._C.settings, torch._C.expandable), ("", False))

    def test_a_cap_is_not_changed_past_its_guard(self):
        settings = self.settings("")
        with self.assertRaises(resident.Refusal):
            settings.change("per_process_memory_fraction", "0.01")
        self.assertEqual(torch._C.settings, "")

    def settings(self, text):
        framework = resident.Framework()
        framework.look()
        torch._C.settings, torch._C.expandable = text, False
        return resident.Settings(framework)


class Recording(unittest.TestCase):
    def setUp(self):
        self.framework = resident.Framework()
        self.framework.look()
        torch.cuda.init()
        self.addCleanup(setattr, torch.cuda, "initialized", False)
        torch._C.history, torch._C.observers = False, []
        self.history = resident.History(self.framework)
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def test_history_is_off_again_where_it_was_off(self):
        self.history.begin(self.path("a"), 2, 60, 100, 5)
        self.assertTrue(torch._C.history)
        self.history.look(6)
        self.assertTrue(torch._C.history)
        self.history.look(7)
        self.assertFalse(torch._C.history)
        self.assertTrue(os.path.exists(self.path("a")))

    def test_history_that_somebody_else_keeps_goes_on_untouched(self):
        torch._C.history = True
        del torch.cuda.memory.history[:]
        self.history.begin(self.path("a"), 1, 60, 100, 0)
        self.history.look(1)
        self.assertTrue(torch._C.history)
        self.assertEqual(torch.cuda.memory.history, [])

    def test_at_an_out_of_memory_one_snapshot_is_saved_and_nothing_is_raised(self):
        self.history.arm(self.path("oom"))
        observer = torch._C.observers[0]
        observer(0, 1, 2, 3)
        self.assertTrue(os.path.exists(self.path("oom")))
        os.unlink(self.path("oom"))
        observer(0, 1, 2, 3)
        self.assertFalse(os.path.exists(self.path("oom")))

    def test_a_snapshot_that_fails_raises_nothing_either(self):
        self.history.arm(self.path("oom"))
        self.directory.cleanup()
        torch._C.observers[0](0, 1, 2, 3)
        self.assertIn("No such file", self.history.failure)
        os.mkdir(self.directory.name)

    def test_armed_twice_it_observes_once(self):
        self.history.arm(self.path("a"))
        self.history.disarm()
        self.history.arm(self.path("b"))
        self.assertEqual(len(torch._C.observers), 1)

    def test_after_an_out_of_memory_history_is_off_again(self):
        self.history.arm(self.path("oom"))
        torch._C.observers[0](0, 1, 2, 3)
        self.history.look(0)
        self.assertFalse(torch._C.history)
        self.history.arm(self.path("again"))
        torch._C.observers[0](0, 1, 2, 3)
        self.history.abandon()
        self.assertFalse(torch._C.history)

    def test_while_it_is_saved_nobody_switches_it_off(self):
        seen = []

        def snapshot():
            self.history.look(0)
            seen.append(torch._C.history)
            return {}

        self.history.arm(self.path("oom"))
        with mock.patch.object(torch.cuda.memory, "_snapshot", snapshot):
            torch._C.observers[0](0, 1, 2, 3)
        self.assertEqual(seen, [True])

    def test_what_is_armed_during_a_recording_does_not_begin_it_anew(self):
        del torch.cuda.memory.history[:]
        self.history.begin(self.path("a"), 1, 60, 100, 0)
        self.history.arm(self.path("oom"))
        self.assertEqual(torch.cuda.memory.history, [("all", 100)])

    def test_a_snapshot_that_fails_leaves_no_part_of_a_file(self):
        self.history.begin(self.path("a"), 1, 60, 100, 0)
        with mock.patch.object(torch.cuda.memory, "_snapshot", lambda: {"unpicklable": threading.Lock()}):
            self.history.look(1)
        self.assertNotEqual(self.history.failure, "")
        self.assertEqual(os.listdir(self.directory.name), [])


class UnknownHistory(unittest.TestCase):
    """CUDA's PyTorch before 2.1 does not tell whether somebody keeps one, nor can leave it out of what it tells of blocks."""

    def setUp(self):
        told = vars(torch._C)["_cuda_isHistoryEnabled"]
        del torch._C._cuda_isHistoryEnabled
        self.addCleanup(setattr, torch._C, "_cuda_isHistoryEnabled", told)
        before = mock.patch.object(torch.cuda, "memory_snapshot", lambda: torch.cuda.memory.looks.append(True) or [])
        before.start()
        self.addCleanup(before.stop)
        self.framework = resident.Framework()
        self.framework.look()
        torch.cuda.init()
        self.addCleanup(setattr, torch.cuda, "initialized", False)
        torch._C.history, torch._C.observers = False, []
        del torch.cuda.memory.history[:], torch.cuda.memory.looks[:]
        self.history = resident.History(self.framework)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "a")

    def test_one_that_is_kept_is_saved_and_goes_on(self):
        torch._C.history = True
        self.history.begin(self.path, 1, 60, 100, 0)
        self.history.look(1)
        self.assertTrue(os.path.exists(self.path))
        self.history.abandon()
        self.assertEqual((torch._C.history, torch.cuda.memory.history), (True, []))

    def test_where_none_is_seen_none_is_begun_and_it_says_so(self):
        with self.assertRaises(resident.Refusal) as refused:
            self.history.begin(self.path, 1, 60, 100, 0)
        self.assertIn("does not tell", refused.exception.text)
        self.assertEqual((self.history.recording, self.history.can_record(), torch.cuda.memory.history), (None, False, []))

    def test_armed_it_saves_what_there_is(self):
        self.history.arm(self.path)
        torch._C.observers[0](0, 1, 2, 3)
        self.assertTrue(os.path.exists(self.path))
        self.history.abandon()
        self.assertEqual(torch.cuda.memory.history, [])

    def test_blocks_are_looked_at_once_for_each_who_asks(self):
        blocks = resident.Blocks(self.framework)
        self.assertIsNone(blocks.take(torch.cuda))
        blocks.tell_held(None)
        self.assertEqual(blocks.take(torch.cuda), [])
        self.assertIsNone(blocks.take(torch.cuda))
        self.assertEqual(torch.cuda.memory.looks, [True])

    def test_never_where_one_is_known_to_be_kept(self):
        blocks = resident.Blocks(self.framework)
        torch._C._cuda_isHistoryEnabled = lambda: True
        blocks.tell_held(None)
        self.assertIsNone(blocks.take(torch.cuda))


class OnNpu(unittest.TestCase):
    """torch_npu keeps a core of its own, with names of its own."""

    def setUp(self):
        self.npu = importlib.import_module("torch_npu")
        self.core = self.npu._C
        self.addCleanup(self.forget)
        self.npu.npu.init()
        self.core.history, self.core.observers, self.core.settings, self.core.expandable = False, [], "", False
        torch._C.settings, torch._C.observers = "", []
        del self.npu.npu.memory.history[:], torch.cuda.memory.looks[:]
        self.framework = resident.Framework()
        self.framework.look()
        self.history, self.settings = resident.History(self.framework), resident.Settings(self.framework)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "a")

    def forget(self):
        """For the other tests, which play CUDA."""
        del torch.npu
        for name in [name for name in sys.modules if name.startswith("torch_npu")]:
            del sys.modules[name]

    def test_a_history_that_somebody_keeps_is_saved_and_goes_on(self):
        self.core.history = True
        self.history.begin(self.path, 1, 60, 100, 0)
        self.history.look(1)
        self.assertTrue(os.path.exists(self.path))
        self.assertEqual((self.core.history, self.npu.npu.memory.history), (True, []))

    def test_one_that_was_off_is_off_again(self):
        self.history.begin(self.path, 1, 60, 100, 0)
        self.assertTrue(self.core.history)
        self.history.look(1)
        self.assertFalse(self.core.history)

    def test_blocks_are_not_looked_at_while_one_is_kept(self):
        blocks = resident.Blocks(self.framework)
        self.assertIsNotNone(blocks.take(self.npu.npu))
        self.core.history = True
        self.assertIsNone(blocks.take(self.npu.npu))
        self.assertEqual(torch.cuda.memory.looks, [True])

    def test_an_armed_out_of_memory_saves_a_snapshot(self):
        self.history.arm(self.path)
        self.core.observers[0](0, 1, 2, 3)
        self.assertEqual((os.path.exists(self.path), self.history.failure, torch._C.observers), (True, "", []))

    def test_settings_are_those_of_its_variable_and_go_to_its_allocator(self):
        with mock.patch.dict(os.environ, PYTORCH_NPU_ALLOC_CONF="max_split_size_mb:64", PYTORCH_CUDA_ALLOC_CONF="max_split_size_mb:32"):
            self.assertEqual(self.settings.text(), "max_split_size_mb:64")
            self.settings.change("expandable_segments", "True")
            self.assertEqual(self.core.settings, "max_split_size_mb:64,expandable_segments:True")
            self.settings.put_back()
            self.assertEqual((self.core.settings, self.core.expandable), ("max_split_size_mb:64", False))
        self.assertEqual(torch._C.settings, "")

    def test_a_refused_value_leaves_them_as_they_were(self):
        with self.assertRaises(resident.Refusal):
            self.settings.change("max_split_size_mb", "nonsense")
        self.assertEqual((self.core.settings, self.settings.text()), ("", ""))


class Tensor:
    def __init__(self, address, size, kind="npu", number=0):
        self.device, self.grad = types.SimpleNamespace(type=kind, index=number), None
        self.untyped_storage = lambda: types.SimpleNamespace(data_ptr=lambda: address, nbytes=lambda: size)


class CategoriesOfTwo(unittest.TestCase):
    def test_what_lies_on_another_device_is_that_one_s(self):
        optimizer = torch.optim.Optimizer([Tensor(1, 100), Tensor(2, 900, number=1), Tensor(3, 5000, kind="cpu")])
        found = resident.categories([optimizer], ("npu", 0), 150, 0)
        self.assertEqual((found["parameters_bytes"], sum(found.values())), (100, 150))
        self.assertEqual(resident.categories([optimizer], ("npu", 1), 950, 0)["parameters_bytes"], 900)



class Steps(unittest.TestCase):
    def test_the_hook_goes_when_it_is_taken_back(self):
        steps = resident.Steps()
        steps.hook(torch)
        first, second = torch.optim.Optimizer(), torch.optim.Optimizer()
        first.step()
        second.step()
        first.step()
        self.assertEqual(len(steps.ends), 2)
        steps.remove()
        first.step()
        self.assertEqual(len(steps.ends), 2)

    def test_before_2_0_the_mark_for_profilers_tells(self):
        steps = resident.Steps()
        before = torch.optim.Optimizer._optimizer_step_code
        steps._replace(torch.optim.Optimizer)
        torch.optim.Optimizer().step()
        self.assertEqual(len(steps.ends), 1)
        steps.remove()
        self.assertIs(torch.optim.Optimizer._optimizer_step_code, before)


class Trials(unittest.TestCase):
    def setUp(self):
        self.trial = resident.Trial([10, 12, 11, 10, 11, 12, 10, 11], 3)

    def after(self, *paces, retries=3):
        return [self.trial.end_step(pace, retries) for pace in paces]

    def test_the_first_steps_may_cost_what_they_will(self):
        self.assertEqual(self.after(500, 500, *[11] * 8), [False] * 10)
        self.assertEqual(self.trial.state, "held")

    def test_steps_that_are_slower_than_the_slowest_before_fail_it(self):
        self.assertEqual(self.after(10, 10, 10, 10, 10, *[13] * 5), [False] * 9 + [True])
        self.assertEqual((self.trial.state, self.trial.why), ("undone", "slower"))
        self.assertEqual(self.after(99), [False])

    def test_one_slow_step_does_not(self):
        self.after(10, 10, 90, *[11] * 7)
        self.assertEqual(self.trial.state, "held")

    def test_a_retry_fails_it_at_once(self):
        self.assertEqual(self.after(10, retries=4), [True])
        self.assertEqual(self.trial.why, "retry")

    def test_without_steps_before_nothing_is_too_slow(self):
        self.trial = resident.Trial([10] * 3, 3)
        self.after(*[99] * 10)
        self.assertEqual(self.trial.state, "held")


class Busy:
    """A thread that is somewhere: `calls` are (file, function), outermost first."""

    def __init__(self, case, *calls):
        self.there, self.over = threading.Event(), threading.Event()

        def innermost():
            self.there.set()
            self.over.wait()

        within = innermost
        for file, name in reversed(calls):
            space = {"within": within}
            exec(compile("def %s(): within()" % name, file, "exec"), space)
            within = space[name]
        self.thread = threading.Thread(target=within)
        self.thread.start()
        case.addCleanup(self.end)
        self.there.wait()

    def end(self):
        self.over.set()
        self.thread.join()


MODULE = ("/x/torch/nn/modules/module.py", "_call_impl")
BACKWARD = ("/x/torch/autograd/__init__.py", "backward")
STEP = ("/x/torch/optim/optimizer.py", "wrapper")


class PhasesOfStacks(unittest.TestCase):
    def seen(self, *calls):
        busy = Busy(self, *calls)
        found = resident.Phases().seen()
        busy.end()
        return found

    def test_who_calls_whom_tells_the_phase(self):
        self.assertEqual(self.seen(("/y/train.py", "main"), MODULE, MODULE), ["forward"])
        self.assertEqual(self.seen(STEP), ["optimizer"])
        self.assertEqual(self.seen(("/y/train.py", "backward")), [])

    def test_a_forward_in_backward_computes_again_and_one_in_a_step_is_a_closure_s(self):
        self.assertEqual(self.seen(BACKWARD, MODULE), ["backward"])
        self.assertEqual(self.seen(STEP, MODULE), ["forward"])

    def test_known_trainers_name_theirs_around_it(self):
        self.assertEqual(self.seen(("/x/transformers/trainer.py", "evaluate"), MODULE), ["evaluation", "forward"])
        self.assertEqual(self.seen(("/x/verl/workers/fsdp_workers.py", "generate_sequences")), ["rollout"])
        self.assertEqual(self.seen(("/x/my_workers.py", "generate_sequences")), [])

    def test_known_trainers_are_known_in_versions_that_name_them_otherwise(self):
        lightning = ("/x/lightning/pytorch", "/x/pytorch_lightning")
        for file, function, phases in (
            *((place + "/trainer/trainer.py", "save_checkpoint", ["checkpoint"]) for place in lightning),
            *((place + "/loops/evaluation_loop.py", "run", ["evaluation"]) for place in lightning),
            *((place + "/loops/prediction_loop.py", "run", ["evaluation"]) for place in lightning),
            ("/x/megatron/training/training.py", "evaluate", ["evaluation"]),
            ("/x/megatron/training/training.py", "save_checkpoint_and_time", ["checkpoint"]),
            ("/x/verl/trainer/ppo/workers/fsdp_workers.py", "update_critic", ["critic-update"]),
            ("/x/verl/workers/megatron_workers.py", "compute_rm_score", ["reward"]),
            ("/x/verl/workers/engine_workers.py", "infer_batch", ["inference"]),
            ("/x/my_workers.py", "infer_batch", []),
        ):
            with self.subTest(file=file, function=function):
                self.assertEqual(self.seen((file, function)), phases)

    def test_an_actor_of_verl_says_for_whom_its_engine_works(self):
        workers = "/x/verl/workers/engine_workers.py"
        stack = (workers, "update_actor"), (workers, "train_mini_batch"), (workers, "train_batch"), BACKWARD
        self.assertEqual(self.seen(*stack), ["actor-update", "update", "backward"])

    def test_what_a_script_names_comes_first(self):
        named = types.ModuleType("lacuna.named")
        named.open_names = ["rollout", "two\nlines", "rollout"]
        sys.modules["lacuna.named"] = named
        self.addCleanup(sys.modules.pop, "lacuna.named")
        self.assertEqual(self.seen(MODULE), ["rollout", "two lines", "forward"])


class WhatIsLookedAtLivesNoLonger(unittest.TestCase):
    """A frame keeps the tensors that its function has: whoever keeps one has the next step come on top of the last."""

    def test_what_a_function_has_goes_with_it_once_its_stack_was_seen(self):
        class Tensors:
            pass

        def step():
            held = Tensors()
            going.append(weakref.ref(held))
            inside.set()
            gate.wait()

        going, inside, gate = [], threading.Event(), threading.Event()
        gc.collect()
        self.addCleanup(gc.enable if gc.isenabled() else gc.disable)
        gc.disable()  # a collection now and then is no excuse
        thread = threading.Thread(target=step)
        thread.start()
        inside.wait()
        resident.Phases().seen()
        gate.set()
        thread.join()
        self.assertIsNone(going[0]())


class StacksAndGarbage(unittest.TestCase):
    """Python 3.11 loses a frame of another thread to what a collection in the middle of a walk finalises."""

    def setUp(self):
        self.limits, self.was_enabled = gc.get_threshold(), gc.isenabled()
        self.addCleanup(gc.enable if self.was_enabled else gc.disable)
        self.addCleanup(gc.set_threshold, *self.limits)
        self.gate, self.finalised = threading.Event(), []
        self.waits = threading.Thread(target=self.deep, args=(20,))
        self.waits.start()
        self.addCleanup(self.waits.join)
        self.addCleanup(self.gate.set)

    def deep(self, depth):
        return self.deep(depth - 1) if depth else self.gate.wait()

    def leave_garbage(self):
        class Garbage:
            def __del__(garbage):
                self.finalised.append(1)
                self.gate.set()  # the thread whose stack is walked returns from all of it
                self.waits.join()

        garbage = Garbage()
        garbage.itself = garbage

    def test_nothing_is_collected_while_the_stacks_of_threads_are_walked(self):
        phases = resident.Phases()
        phases.seen()
        gc.enable()
        gc.collect()
        gc.set_threshold(100000)
        self.leave_garbage()
        found = set()
        frames = len(sys._current_frames())
        gc.set_threshold(1)
        phases._without_collection(found)
        gc.set_threshold(100000)
        self.assertEqual((frames >= 2, self.finalised, gc.isenabled()), (True, [], True))
        gc.collect()
        self.assertEqual(self.finalised, [1])

    def test_who_collects_by_hand_goes_on_doing_so(self):
        gc.disable()
        resident.Phases().seen()
        self.assertFalse(gc.isenabled())


class PhasesOfLooks(unittest.TestCase):
    def setUp(self):
        self.phases = resident.Phases()
        self.open = []
        self.phases.seen = lambda: self.open
        self.watched = resident.Watched(0, Device((100, 0), (700, 0), (300, 0), (900, 0)), 1.0)

    def look(self, *names):
        self.open = list(names)
        self.watched.look()
        self.phases.look([self.watched])

    def words(self, first=0, room=2000):
        return self.phases.words(self.watched, first, room)

    def test_peaks_count_for_all_that_are_open_when_it_is_looked(self):
        self.look("rollout", "forward")
        self.look("rollout")
        self.look()
        words = self.words()
        self.assertEqual([words["phase.0"].split(":")[i] for i in (0, 1, 3, 4)], ["rollout", "closed", "350", "700"])
        self.assertEqual([words["phase.1"].split(":")[i] for i in (0, 1, 3, 4)], ["forward", "closed", "350", "700"])
        self.assertEqual((words["next"], words["more"]), (2, "no"))

    def test_bad_names_are_bounded_and_told_as_a_word(self):
        self.assertEqual(resident.plain_name("two\nlines\x00 x"), "two lines x")
        self.assertEqual(resident.plain_name(""), "phase")
        self.assertEqual(len(resident.plain_name("x" * 999)), 40)
        self.assertLessEqual(len(resident.plain_name("\U0001f525" * 99).encode()), 63)
        self.assertEqual(resident.word_of("a b:é%"), "a%20b%3A%C3%A9%25")

    def test_many_names_share_the_last_and_are_told_in_parts(self):
        self.look(*["%s%02d" % ("\u4e2d" * 12, n) for n in range(40)])
        self.assertEqual(len(self.phases.known), resident.MOST_PHASES)
        told, first = [], 0
        while True:
            words = self.words(first)
            told += [w for k, w in words.items() if k.startswith("phase.")]
            self.assertLess(len(resident.words_text(words)), 2000)
            if words["more"] == "no":
                break
            first = words["next"]
        self.assertEqual(len(told), resident.MOST_PHASES)
        self.assertTrue(told[-1].startswith("others:"))


class Naming(unittest.TestCase):
    """lacuna.phase, without an agent."""

    def setUp(self):
        spec = importlib.util.spec_from_file_location("named", os.path.join(NATIVE, "python", "lacuna", "named.py"))
        self.named = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.named)

    def test_it_is_open_within_and_closed_after_whatever_happens(self):
        with self.named.phase("rollout") as phase, phase:
            self.assertEqual(self.named.open_names, ["rollout", "rollout"])
        with self.assertRaises(ZeroDivisionError), self.named.phase("x"):
            1 / 0
        self.assertEqual(self.named.open_names, [])

    def test_functions_are_named_also_those_that_wait(self):
        import asyncio

        seen = []

        @self.named.phase("plain")
        def plain():
            seen.append(list(self.named.open_names))

        @self.named.phase("waiting")
        async def waiting():
            await asyncio.sleep(0)
            seen.append(list(self.named.open_names))

        plain()
        asyncio.run(waiting())
        self.assertEqual((seen, self.named.open_names), ([["plain"], ["waiting"]], []))

    def test_names_are_bounded_as_the_guest_s_are(self):
        for name in ("two\nlines", "", "x" * 999, "\U0001f525" * 99, 7, "\ud800"):
            self.assertEqual(self.named.plain(name), resident.plain_name(name))


class Leaving(unittest.TestCase):
    def test_who_comes_meanwhile_waits_until_the_other_has_gone(self):
        kept = types.SimpleNamespace(resident=types.SimpleNamespace(ends="asked"))

        def go():
            kept.resident = None

        leaves = threading.Timer(0.1, go)
        leaves.start()
        resident.let_leave(kept)
        self.assertIsNone(kept.resident)
        leaves.join()

    def test_one_that_stays_is_not_waited_for(self):
        stays = types.SimpleNamespace(ends="")
        kept = types.SimpleNamespace(resident=stays)
        resident.let_leave(kept)
        self.assertIs(kept.resident, stays)


class Late(unittest.TestCase):
    """A thread that was kept from listening for longer than anybody may be quiet."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="lacuna-graft-")
        self.addCleanup(folder.cleanup)
        place = types.SimpleNamespace(fd=os.open(folder.name, os.O_RDONLY | os.O_DIRECTORY), stem="p", remove=self.remove)
        self.addCleanup(os.close, place.fd)
        self.folder, self.asked = folder.name, []
        self.server = resident.Server(place, self.answer, threading.Lock())
        self.addCleanup(self.server.close)

    def remove(self, suffix):
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(self.folder, "p" + suffix))

    def client(self):
        client = socket.socket(socket.AF_UNIX)
        self.addCleanup(client.close)
        client.settimeout(10)
        client.connect(os.path.join(self.folder, "p.sock"))
        self.server.wait(1)
        return client

    def answer(self, peer, line):
        self.asked.append(line)
        if line == b"first":
            self.second.sendall(b"second\n")
            self.server.clients[1].last -= 1000
        return {}

    def test_who_has_asked_meanwhile_is_answered(self):
        first, self.second = self.client(), self.client()
        first.sendall(b"first\n")
        self.server.wait(1)
        self.server.wait(1)
        self.assertEqual((self.asked, self.second.recv(99)), ([b"first", b"second"], b"ok\n"))

    def test_who_is_quiet_is_let_go(self):
        client = self.client()
        self.server.clients[0].last -= 1000
        self.server.wait(0)
        self.assertEqual(client.recv(99), b"")

    def test_it_does_not_leave_somebody_who_waits_to_be_heard(self):
        client = self.client()
        self.server.heard -= 1000
        self.assertTrue(self.server.is_left_alone())
        client.sendall(b"late\n")
        self.assertFalse(self.server.is_left_alone())


class Forks(unittest.TestCase):
    def test_a_fork_that_began_before_anything_was_registered_releases_nothing(self):
        hooks = {}
        register, os.register_at_fork = os.register_at_fork, lambda **given: hooks.update(given)
        try:
            kept = resident.holder()
        finally:
            os.register_at_fork = register
            sys.modules.pop(resident.NAME)
        hooks["after_in_parent"]()
        with kept.files:
            hooks["after_in_parent"]()
            self.assertTrue(kept.files.locked())
        hooks["before"]()
        self.assertTrue(kept.files.locked())
        hooks["after_in_parent"]()
        self.assertFalse(kept.files.locked())


class Blocks(unittest.TestCase):
    def test_the_difference_between_two_looks_is_told(self):
        told = []

        class Telemetry:
            def event(self, kind, size, address=0, *_):
                told.append((kind, size))

        blocks = resident.Blocks(resident.Framework())
        a = torch.cuda.memory.allocate(3 << 20)
        blocks._tell(torch.cuda.memory_snapshot(), {0: 0}, Telemetry())
        self.assertIn((resident.HELD, 3 << 20), told)  # when it came, nobody saw
        self.assertEqual({kind for kind, _ in told}, {resident.MAPPED, resident.HELD})
        first = told[:]
        del told[:]
        blocks.tell_held(Telemetry())
        self.assertEqual(told, first)
        del told[:]
        b = torch.cuda.memory.allocate(5 << 20)
        blocks._tell(torch.cuda.memory_snapshot(), {0: 0}, Telemetry())
        self.assertEqual(told[-1], (resident.ALLOC, 5 << 20))
        del told[:]
        torch.cuda.memory.free(b)
        blocks._tell(torch.cuda.memory_snapshot(), {0: 0}, Telemetry())
        self.assertEqual(told, [(resident.FREE, 5 << 20)])
        del told[:]
        torch.cuda.memory.free(a)
        blocks._tell(torch.cuda.memory_snapshot(), {0: 0}, Telemetry())
        self.assertEqual(told, [(resident.FREE, 3 << 20)])
        del told[:]
        torch.cuda.memory.empty()
        blocks._tell(torch.cuda.memory_snapshot(), {0: 0}, Telemetry())
        self.assertEqual(sorted(told), [(resident.RELEASE, 3 << 20), (resident.RELEASE, 5 << 20)])

    def test_a_slow_look_is_not_repeated_soon(self):
        blocks = resident.Blocks(resident.Framework())
        module = type("Slow", (), {"memory_snapshot": staticmethod(lambda include_traces: resident.time.sleep(0.05) or [])})
        blocks.look(module, {0: 0}, None)
        self.assertGreater(blocks.next - resident.time.monotonic(), 5)


if __name__ == "__main__":
    unittest.main()

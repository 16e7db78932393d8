"""The package's calls of the agent, in whatever Python runs this: none needs PyTorch. Started by run.sh.

A Python that dies here of a signal is what this is about: ctypes of most Pythons releases an object that is returned
before it looks whether there is one.
"""

import ctypes
import gc
import os
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.dirname(os.path.dirname(HERE))
PACKAGE = os.path.join(NATIVE, "python", "lacuna")
sys.path.insert(0, os.path.join(NATIVE, "python"))
sys.path.insert(0, HERE)

agent_library = ctypes.CDLL(os.path.join(NATIVE, "build", "liblacuna.so"), mode=ctypes.RTLD_GLOBAL)

import declared  # noqa: E402
from lacuna import memory  # noqa: E402
from lacuna.swap import engine  # noqa: E402

TIMES = 10_000
BLOCK = 4096
GIB = 1 << 30
WORDS = {
    ctypes.c_int: "int", ctypes.c_uint32: "u32", ctypes.c_uint64: "u64", ctypes.c_void_p: "address", ctypes.c_char_p: "address",
    ctypes.py_object: "address", None: "nothing",
}  # fmt: skip
KEEPS_LOCK = 4  # FUNCFLAG_PYTHONAPI


class _Options(ctypes.Structure):
    """lacuna_options"""

    _fields_ = [
        ("capacity_bytes", ctypes.c_uint64), ("fraction", ctypes.c_double), ("optimisation", ctypes.c_int32), ("backend", ctypes.c_int32),
        ("device", ctypes.c_int32), ("serve", ctypes.c_int32), ("range_bytes", ctypes.c_uint64), ("other_bytes", ctypes.c_uint64),
        ("bookkeeping_only", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
    ]  # fmt: skip


class _Usage(ctypes.Structure):
    """lacuna_layer_usage"""

    _fields_ = [("name", ctypes.c_char * 96), ("bytes", ctypes.c_uint64 * 4)]


class WithAgent(unittest.TestCase):
    capacity = 64 << 20

    def setUp(self):
        self.library = ctypes.PyDLL(None)  # a rescue lets go in the thread that asks, which keeps Python's lock
        self.agent = ctypes.c_void_p()
        options = _Options(self.capacity, 1.0, 1, memory.VIRTUAL)
        self.assertEqual(self.library.lacuna_open(ctypes.byref(options), ctypes.byref(self.agent)), 0)
        self.addCleanup(lambda: ctypes.CDLL(None).lacuna_close(self.agent))
        self.native = engine.Native(self.agent.value)
        self.assertTrue(self.native.set(engine.ON, GIB))
        self.layer = self.native.layer("a layer")
        self.cookies = 0

    def allocate(self, size=BLOCK):
        block = ctypes.c_void_p()
        status = self.library.lacuna_malloc(self.agent, ctypes.c_uint64(size), ctypes.c_uint64(0), ctypes.byref(block))
        return block.value if status == 0 else None

    def free(self, block):
        self.assertEqual(self.library.lacuna_free(self.agent, ctypes.c_void_p(block)), 0)

    def entry(self, address, size=BLOCK):
        self.cookies += 1
        return engine.Entry(address, size, self.cookies, self.cookies, 0, self.layer, 1)

    def counter(self, name):
        return memory._Agent(agent_library, self.agent.value).device(name)

    def entered_bytes(self):
        usage = _Usage()
        self.assertEqual(self.library.lacuna_swap_usage(self.agent, self.layer, ctypes.byref(usage)), 0)
        return sum(usage.bytes)

    def until_on_host(self, ticket):
        while self.native.where(ticket) == engine.COPYING_OUT:
            time.sleep(0)
        self.assertEqual(self.native.where(ticket), engine.ON_HOST)


class Sums(unittest.TestCase):
    def test_a_changed_byte_anywhere_is_another_sum(self):
        call, memory = engine.calls()["lacuna_contents_sums"], (ctypes.c_ubyte * 5003)(*(i * 7 % 251 for i in range(5003)))
        before = engine.sums(call, ctypes.addressof(memory), 5003)
        self.assertEqual(engine.sums(call, ctypes.addressof(memory), 5003), before)
        for at in range(0, 5003, 41):
            memory[at] ^= 1
            self.assertNotEqual(engine.sums(call, ctypes.addressof(memory), 5003), before)
            memory[at] ^= 1


class Entering(WithAgent):
    def test_memory_that_is_not_the_agents_is_no_entry_and_costs_no_reference(self):
        elsewhere = ctypes.create_string_buffer(BLOCK)
        address = ctypes.addressof(elsewhere)
        block = self.allocate()
        self.assertIsNone(self.native.enter(self.entry(address)))
        entries = [self.entry(where) for where in (address, block + 8, 0) for _ in range(TIMES)]
        before = sys.getrefcount(None)
        for entry in entries:
            if self.native.enter(entry) is not None:
                self.fail("entered %r" % entry.block)
        self.assertLess(abs(sys.getrefcount(None) - before), 100)
        self.assertEqual(self.entered_bytes(), 0)
        self.free(block)

    def test_a_lease_is_held_once_and_ends_with_whoever_holds_it(self):
        block = self.allocate()
        entries = [self.entry(block) for _ in range(TIMES)]
        once = object()
        for entry in entries:
            ticket, lease = self.native.enter(entry)
            if sys.getrefcount(lease) != sys.getrefcount(once) or not ticket.value:
                self.fail("%d references" % sys.getrefcount(lease))
            del lease
        self.assertEqual(self.entered_bytes(), 0)
        held = [self.native.enter(entry) for entry in entries[:50]]
        self.assertEqual(self.entered_bytes(), 50 * BLOCK)
        del held
        self.assertEqual(self.entered_bytes(), 0)
        self.free(block)

    def test_all_that_leaves_is_counted_and_the_host_has_its_memory_back(self):
        block = self.allocate()
        ctypes.memset(block, 7, BLOCK)
        elsewhere = ctypes.addressof(ctypes.create_string_buffer(BLOCK))
        objects = len(gc.get_objects())
        for _ in range(TIMES):
            self.assertIsNone(self.native.enter(self.entry(elsewhere)))
            ticket, lease = self.native.enter(self.entry(block))
            self.assertTrue(self.native.out(ticket, 0))
            self.until_on_host(ticket)
            self.assertTrue(self.native.let_go(ticket))
            ctypes.memset(block, 0, 8)
            self.assertTrue(self.native.bring(ticket, block, 0))
            self.assertTrue(self.native.wait(ticket, 0))
            del ticket, lease
        self.assertEqual(ctypes.string_at(block, BLOCK), b"\7" * BLOCK)
        self.assertEqual(self.counter("swapped_out_bytes"), TIMES * BLOCK)
        self.assertEqual(self.counter("swapped_in_bytes"), TIMES * BLOCK)
        self.assertEqual((self.counter("host_used_bytes"), self.entered_bytes()), (0, 0))
        self.assertLess(len(gc.get_objects()) - objects, 100)
        self.free(block)

    def test_a_python_without_memory_gets_an_exception_and_no_entry_stays(self):
        try:
            from _testcapi import remove_mem_hooks, set_nomemory
        except ImportError:
            self.skipTest("this Python cannot be made to run out of memory")
        block = self.allocate()
        for address in (block, 8):
            for allowed in range(40):
                entry, entered = self.entry(address), None
                try:
                    set_nomemory(allowed)
                    entered = self.native.enter(entry)
                    remove_mem_hooks()
                except (MemoryError, SystemError):
                    remove_mem_hooks()
                    self.assertIsNone(entered)
                else:
                    self.assertEqual(entered is not None, address == block)
                    break
            else:
                self.fail("nothing is enough")
            entered = None
            self.assertEqual(self.entered_bytes(), 0)
        self.free(block)


class Calling(WithAgent):
    def test_sizes_and_addresses_above_four_gib_arrive_whole(self):
        self.assertTrue(self.native.set(engine.KEEP, 5 * GIB + 1))
        self.assertEqual(self.counter("host_budget_bytes"), 5 * GIB + 1)
        self.assertTrue(self.native.link(6 * GIB, 0))
        self.assertEqual(self.counter("swap"), engine.ON)
        block = self.allocate()
        self.assertGreater(block, 4 * GIB)
        self.assertIsNotNone(self.native.enter(self.entry(block)))
        self.free(block)
        self.assertEqual(self.native.room(), self.capacity)
        self.assertEqual(self.native.movable(), 0)

    def test_a_function_for_the_framework_holds_its_three_parts_and_nothing_else(self):
        heard = []

        def double(value):
            if value is None:
                raise ValueError(value)
            return value + value

        def keep(raised):
            heard.append(raised)

        def hear(raised):
            heard.append(raised)
            return False

        before, once = [sys.getrefcount(part) for part in (double, keep, hear)], object()
        for _ in range(TIMES):
            hook = self.native.hook(double, keep, hear)
            if sys.getrefcount(hook) != sys.getrefcount(once):
                self.fail("%d references" % sys.getrefcount(hook))
            self.assertEqual(hook("ab"), "abab")
        with self.assertRaises(ValueError) as raised:
            hook(None)
        self.assertEqual(heard, [raised.exception])
        hook = None
        self.assertEqual([sys.getrefcount(part) for part in (double, keep, hear)], before)

    def test_who_asks_for_more_than_there_is_has_the_owner_let_go(self):
        held, asked = {}, []

        def let_go(address, count):
            for cookie in (ctypes.c_uint64 * count).from_address(address):
                ticket, block = held[cookie]
                asked.append(cookie)
                self.assertTrue(self.native.let_go(ticket))
                self.free(block)

        hear = engine.HEAR(asked.append)
        self.native.own(let_go, hear)
        references = sys.getrefcount(let_go), sys.getrefcount(hear)
        leases = []
        for _ in range(16):
            block = self.allocate(2 << 20)
            entry = self.entry(block, 2 << 20)
            ticket, lease = self.native.enter(entry)
            leases.append(lease)
            held[entry.cookie] = ticket, block
        self.native.allow(self.cookies)
        more = self.allocate(48 << 20)
        self.assertIsNotNone(more)
        self.assertGreaterEqual(len(asked), 8)
        self.assertEqual(self.counter("swapped_out_bytes"), len(asked) * (2 << 20))
        self.assertEqual((sys.getrefcount(let_go), sys.getrefcount(hear)), references)
        leases.clear()
        del lease
        self.assertEqual((self.entered_bytes(), self.counter("host_used_bytes")), (0, 0))
        self.free(more)
        for cookie, (_, block) in held.items():
            if cookie not in asked:
                self.free(block)

    def test_other_threads_run_while_one_serves(self):
        serving = threading.Thread(target=self.native._serve, args=(self.agent, (ctypes.c_uint64 * 8)(), 8, 400))
        serving.start()
        turns = 0
        while serving.is_alive():
            turns += 1
        serving.join()
        self.assertGreater(turns, 1)


class Declarations(unittest.TestCase):
    header = declared.of_headers(*(os.path.join(NATIVE, *path) for path in (("include", "lacuna.h"), ("src", "torch", "pluggable.h"))))

    def test_the_engines_table_is_the_headers(self):
        for table in (engine.WAITING, engine.QUICK):
            for name, (result, *arguments) in table.items():
                with self.subTest(name):
                    self.assertEqual((WORDS[result], [WORDS[kind] for kind in arguments]), self.header[name])

    def test_every_call_has_its_table_and_those_with_objects_keep_pythons_lock(self):
        functions = engine.calls()
        self.assertEqual(set(functions), set(engine.WAITING) | set(engine.QUICK))
        for name, function in functions.items():
            kinds = [function.restype, *function.argtypes]
            with self.subTest(name):
                self.assertEqual(bool(function._flags_ & KEEPS_LOCK), name in engine.QUICK)
                self.assertTrue(ctypes.py_object not in kinds or name in engine.QUICK)

    def test_no_address_or_wide_number_is_taken_for_an_int_anywhere_in_the_package(self):
        wide = {"address": ("c_void_p", "POINTER", "c_char_p"), "u64": ("c_uint64", "c_size_t"), "double": ("c_double",)}
        looked_at = set()
        for path in declared.sources(PACKAGE):
            used, said = declared.of_source(path)
            for name in used & set(self.header):
                looked_at.add(name)
                kinds = wide.get(self.header[name][0])
                with self.subTest(os.path.relpath(path, PACKAGE), name=name):
                    self.assertTrue(kinds is None or any(kind in said.get(name, "") for kind in kinds), "%s, %s" % (self.header[name], said.get(name)))
        self.assertLessEqual({"lacuna_process_agent", "lacuna_layers_asked", "lacuna_served", "lacuna_layout"}, looked_at)

    def test_a_python_that_the_agent_cannot_find_is_told_before_anything_is_called(self):
        wanted = engine.OF_PYTHON
        engine.OF_PYTHON = (*wanted, "PyNobody_New")
        try:
            with self.assertRaises(AttributeError) as raised:
                engine.Native(1)
        finally:
            engine.OF_PYTHON = wanted
        self.assertIn("PyNobody_New", str(raised.exception))


class Program:
    """Counts like the project's other test programs do."""

    def run(self):
        result = unittest.TextTestRunner(stream=sys.stderr, verbosity=1).run(
            unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
        )
        failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
        print("%d passed, %d failed" % (result.testsRun - failed - skipped, failed) + (", %d skipped" % skipped if skipped else ""))
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(Program().run())

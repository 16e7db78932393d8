"""What goes, and when.

Longer than other modules: whatever changes entries stands here, so that one can see in one place who takes turns with whom.
"""

import _thread
import collections
import contextlib
import ctypes
import gc
import itertools
import sys
import threading
import weakref
from functools import partial

from .choosing import Chooser
from .claim import Claim
from .clock import WorkingClock, clock_of
from .contents import storage_of
from .engine import ALL, HEAR, KEEP_BUDGET, OFF, SERVED_AT_ONCE, Entry, Native
from .entries import Known, Saved, Stored
from .faults import is_out_of_memory, pass_on, say_once
from .hooks import Hooks
from .measuring import Measuring
from .order import LONGEST_LEAD, LeadsByPolicy, Run
from .policy import Policy
from .postponed import Postponed
from .profile import Measurement, Seen
from .threads import alive

LOOKED_FOR_ENDED = 256  # entries more than twice those that were alive, before somebody looks which are over
LOOKED_WHILE_MEASURED = 64  # times that something may have been let go of, and then somebody looks too
CALM_STEPS = 8  # without a rescue before less is sent
LATE_NS = 200_000  # a wait of this long is a stall that asking earlier would have hidden


def plainly(tensor):
    """The tensor without its graph, for autograd to hold: a function that saved its own result would hold itself."""
    with sys.modules["torch"].no_grad():
        return tensor.detach()


class Manager:
    """All entries of one agent. The native engine has the say about where an entry is.

    Forwards of one thread at a time are managed (`claim`): what stands below `claim` is that thread's. Backwards of any
    thread, and rescues, come in between, and take turns at entries.
    """

    def __init__(self, agent, counters, smallest, recomputing):
        self.native, self._counters, self._smallest = Native(agent), counters, smallest
        self.policy = Policy(self, recomputing)
        self.chooser = Chooser(self)
        self.measurement = None
        self.swapping = self.everything = False  # in the forward that runs; all that can
        self._by_identity = {}  # those known by their storage
        self._by_cookie = {}  # all that are known, some of them over
        self._look_at = LOOKED_FOR_ENDED  # when so many are known
        self._looked = 0
        self._leads_by_policy, self.layers = LeadsByPolicy(), {}
        self.leads = self._leads_by_policy.under("")
        self.away_bytes = 0
        self.goal_bytes = 0  # what is to be away at a time: grows by what had to be rescued
        self.rescued_bytes = self.rescued_ever = 0  # of this step, of all
        self._moving = {}  # thread -> what leaves in its forwards; no thread waits for a turn at another's
        self.postponed = Postponed()
        self.failed = False
        self.over = False  # nobody will be rescued by it any more
        self._callback, self._serving = None, False
        self.claim = Claim()
        self.run = None  # the outermost forward
        self._kept = frozenset()  # addresses of its parameters and buffers
        self._pass = self._cookie = self._step = self._calm = 0
        self._unreachable = set()  # caps of which that was said

    def ask(self):
        """What is asked for from this outermost forward on; False where that is nothing."""
        mode, wanted, policy, ruled, changes = self.native.asked()
        self.swapping = mode != OFF
        if self.swapping:
            self._begin_serving()
        if self.policy.read(changes):
            self.leads = self._leads_by_policy.under(self.policy.letters)
        self.chooser.read(self.native.rule() if ruled and self.swapping else "", (changes, self.swapping))
        self.everything = mode == ALL and not self.policy.on and not self.chooser.on
        if wanted and self.measurement is None:
            clock = WorkingClock(clock_of(self._counters.device("backend")), self.stalled_ns)
            measurement = Measurement(clock, self._counters, self.native)
            self.measurement = Measuring(measurement, self._measured_wrongly)
        return self.swapping or policy or self.measurement is not None

    def _begin_serving(self):
        if self._serving:
            return
        if self._callback is None:
            self._callback = self._evict_on_oom, HEAR(self.postponed.keep_from_rescue)
        self.native.own(*self._callback)
        _thread.start_new_thread(self._serve, ())  # in one call of C's: an exception from outside leaves none half begun
        self._serving = True

    # ------------------------------------------------------------ torch's side

    def stream(self, device):
        torch = sys.modules["torch"]
        if device.type == "cpu":
            return 0
        stream = getattr(torch, device.type).current_stream(device)
        return stream.npu_stream if device.type == "npu" else stream.cuda_stream

    def new_storage(self, size, device):
        torch = sys.modules["torch"]
        if device.type == "cpu":
            return torch.UntypedStorage(size)
        return torch.UntypedStorage(size, device=device)

    def _eligible(self, tensor):
        torch = sys.modules["torch"]
        base = tensor._base
        return (
            type(tensor) is torch.Tensor
            and (base is None or not (base.is_leaf and base.requires_grad))  # a parameter under another shape
            and tensor.layout is torch.strided
            and not (tensor.is_quantized or tensor.is_conj() or tensor.is_neg() or tensor.is_inference())
        )

    def _storage_of(self, tensor):
        return storage_of(tensor)

    @staticmethod
    def _is_its_own(storage):
        """Not lent by numpy or another library, which may write there and hold no storage, although the block be the agent's.
        PyTorch 1.13 cannot tell."""
        resizable = getattr(storage, "resizable", None)
        return resizable is None or resizable()

    # ------------------------------------------------------------ saving and giving back

    def pack(self, tensor):
        """saved_tensors_hooks: what autograd is to hold for a tensor."""
        try:
            if type(tensor) is not sys.modules["torch"].Tensor or (tensor.is_leaf and tensor.requires_grad):
                return tensor
            if self.failed or self.run is None or not self.claim.is_mine():
                return Seen(plainly(tensor), 0, None)
            self.note(tensor)
            return self.keep(tensor)
        except Exception as broken:
            pass_on(broken)
            say_once("a saved tensor stays where it is: %r" % (broken,))
            return plainly(tensor)

    def hooks(self, pack, unpack):
        """To be opened while something of the managed forward saves."""
        told = self.postponed
        return Hooks(
            self.native.hook(pack, told.keep, partial(told.hears, told.keep)),
            self.native.hook(unpack, told.keep_for_backward, partial(told.hears, told.keep_for_backward)),
        )

    def keep(self, tensor):
        """Something to `give` the tensor again. Never the tensor itself: a function that saved its own result would hold
        itself."""
        stored = self._stored(tensor) if self.swapping and self._eligible(tensor) else None
        plain = plainly(tensor)
        if stored is None:
            return Seen(plain, self.run.layer_number, self.run)
        with sys.modules["torch"].no_grad():
            return Saved(stored, plain, self.run.layer_number)

    def give(self, kept):
        """The tensor; an error like autograd's where it was changed in place since."""
        return kept.get() if type(kept) in (Saved, Seen) else kept

    @staticmethod
    def here(kept):
        """The tensor where it is on the device, and nobody takes it for wanted now; None elsewhere."""
        return kept.tensor if type(kept) in (Saved, Seen) else kept

    def note(self, tensor):
        """Measures what is saved, parameters apart."""
        measurement, run = self.measurement, self.run
        if measurement is None or run is None:
            return
        try:
            self._note(tensor, measurement, run)
        except Exception as broken:
            pass_on(broken)
            self._measured_wrongly(measurement, broken)

    def _note(self, tensor, measurement, run):
        torch = sys.modules["torch"]
        if (tensor.is_leaf and tensor.requires_grad) or tensor.layout is not torch.strided or tensor.is_quantized:
            return
        storage = self._storage_of(tensor)
        if storage.data_ptr() not in self._kept:
            measurement.save(run, run.layer_number, storage)

    def _measured_wrongly(self, measuring, broken):
        """A fault of the measurement, in whatever thread."""
        if self.measurement is measuring:
            self._end_measurement()
            self.native.profile_done(0, 0, 0, 0)
            sys.stderr.write("lacuna: layers are not measured: %r\n" % (broken,))

    def _end_measurement(self):
        ended, self.measurement = self.measurement, None
        if ended is not None:
            ended.end()

    def went(self, stored):
        """An entry is on the host, and its storage was let go of."""
        measurement = self.measurement
        if measurement is not None:
            measurement.went(stored.run, stored.identity)

    def came(self, stored):
        """It is about to have a storage again."""
        measurement = self.measurement
        if measurement is not None:
            measurement.came(stored.run, stored.identity)

    def note_inputs(self, inputs):
        """Measures what a layer is called with."""
        measurement = self.measurement
        if measurement is not None:
            torch = sys.modules["torch"]
            storages = [self._storage_of(t) for t in inputs if type(t) is torch.Tensor and t.layout is torch.strided]
            sizes = {storage.data_ptr(): storage.nbytes() for storage in storages}
            measurement.enter(self.run.layer_number, sum(sizes.values()))

    def unpack(self, saved):
        """saved_tensors_hooks: the tensor that backward wants."""
        measurement = self.measurement
        if type(saved) is Seen:
            if measurement is not None and saved.run is not None:
                measurement.want(saved.run, saved.layer)
            return saved.get()
        if type(saved) is not Saved:
            return saved
        stored = saved.stored
        if measurement is not None and not stored.run.outside:
            measurement.want(stored.run, saved.layer)
            since = measurement.mark()
            tensor = self._unpack(saved, stored)
            measurement.lose(saved.layer, since)
            return tensor
        return self._unpack(saved, stored)

    def _unpack(self, saved, stored):
        import time

        was_asked = stored.storage is not None
        began = time.monotonic_ns()
        self.chooser.wanted(stored.run, stored.key)
        stored.accessed_ns = began
        tensor = saved.get()
        if stored.returned and (not was_asked or time.monotonic_ns() - began > LATE_NS):
            self.leads.late(stored.key)
        try:
            self._reap(stored.run.moving)
            self._fetch_ahead(stored)
        except Exception as broken:
            pass_on(broken)
            self.give_up(broken)
        return tensor

    def _stored(self, tensor):
        storage = self._storage_of(tensor)
        size, address = storage.nbytes(), storage.data_ptr()
        if size < self._smallest or address in self._kept or not self._is_its_own(storage):
            return None
        known = self._by_identity.get(storage._cdata)
        stored = known.reference() if known is not None else None
        if stored is None:
            return self._enter(tensor, storage)
        if not stored.join(tensor, storage):
            return None
        if stored.run is not self.run:
            self.run.entries.append(weakref.ref(stored))
        return stored

    def entries(self):
        """Those that are not over."""
        for cookie in list(self._by_cookie):
            known = self._by_cookie.get(cookie)
            stored = known.reference() if known is not None else None
            if stored is not None:
                yield stored

    def _forget_ended(self):
        """Several threads may look at the same time: one of them gets each."""
        ended = 0
        for cookie in list(self._by_cookie):
            known = self._by_cookie.get(cookie)
            if known is None or known.reference() is not None or self._by_cookie.pop(cookie, None) is None:
                continue
            ended += 1
            if self._by_identity.get(known.identity) is known:
                self._by_identity.pop(known.identity, None)
            self._is_over(known)
            known.forget()
        if ended:
            self._count_away()
        self._look_at = 2 * len(self._by_cookie) + LOOKED_FOR_ENDED

    def _is_over(self, known):
        measurement = self.measurement
        if measurement is not None:
            measurement.came(known.run, known.identity)

    def send_again(self, stored):
        """What was copied of it does not count: it is sent anew after the pass that wrote it."""
        run = self.run  # of whoever is managed: the pass in which it may have been written is not over before that one
        if stored.away:
            stored.again = True  # when that copy is over
        elif run is not None:
            run.pending.append((self._pass, weakref.ref(stored)))

    def _enter(self, tensor, storage):
        run = self.run
        self._cookie += 1
        entry = Entry(
            storage.data_ptr(), storage.nbytes(), self._pass, self._cookie, self.stream(tensor.device), run.layer_number,
            tensor.is_contiguous(),
        )  # fmt: skip
        entered = self.native.enter(entry)
        if entered is None:
            return None
        run.ordinal += 1
        stored = Stored(self, entered, storage, tensor.device, run, len(run.entries), (run.layer, run.ordinal))
        reference = weakref.ref(stored)
        run.entries.append(reference)
        told = self.policy.asks(run.layer_number) == "S"
        (run.leaving if told else run.pending).append((self._pass, reference))
        stored.count(tensor)
        self.chooser.saved(run, stored)
        known = Known(stored)
        self._by_identity[stored.identity] = self._by_cookie[self._cookie] = known
        return stored

    def _fetch_ahead(self, stored):
        run = stored.run
        if not run.gone:
            return
        room = None
        for distance, other in run.before(stored.index, LONGEST_LEAD):
            if other.storage is not None or other.is_held() or distance > self.leads.of(other.key):
                continue
            if room is None:
                room = self.native.room() - self._counters.device("limit_bytes") // 16
            room -= other.bytes
            if room < 0:
                return
            try:
                other.ask_back()
            except RuntimeError as refused:  # room in pieces: later, or when it is wanted
                if not is_out_of_memory(refused):
                    raise
                return

    # ------------------------------------------------------------ forwards and layers

    def number(self, name):
        """The agent's number of a layer."""
        number = self.layers.get(name)
        if number is None:
            number = self.layers[name] = self.native.layer(name)
        return number

    def begin_pass(self, name):
        """A layer, or what runs between two, begins."""
        self._pass += 1
        self.run.begin(name, self.number(name))
        measurement = self.measurement
        self._since = measurement.mark() if measurement is not None else None
        self._layer_since = self.chooser.mark()

    def end_pass(self):
        """No operator of the pass runs any more: what it saved may go."""
        measurement = self.measurement
        if measurement is not None and self._since is not None:
            measurement.ran(self.run.layer_number, self._since)
        self.chooser.layer_ran(self.run, self._layer_since)
        if self.swapping:
            self.native.allow(self._pass)
            if len(self._by_cookie) >= self._look_at:
                self._forget_ended()
            self._reap(self.run.moving)
            self._send()
        if measurement is not None:
            measurement.look(self.run)

    def _send(self):
        leaving, pending = self.run.leaving, self.run.pending
        while leaving and leaving[0][0] <= self._pass:
            if not self._send_one(leaving.popleft()[1]()):
                return
        if self.chooser.on:
            if not self.run.outside:
                self.chooser.choose()
            if not self.chooser.rule.looking:
                return
        if self.policy.on:
            return  # the others stay, unless a rescue takes them
        while pending and pending[0][0] <= self._pass and (self.everything or self.away_bytes < self.goal_bytes):
            if not self._send_one(pending.popleft()[1]()):
                return

    def _send_one(self, stored):
        """False where the host has no room for it."""
        if stored is None or stored.away:
            return True
        if not stored.send():
            return False
        stored.run.gone = True
        self.run.moving.append(weakref.ref(stored))
        return True

    def send(self, stored):
        """Whether a rule's choice leaves; False where the host has no room for it."""
        return self._send_one(stored)

    @property
    def passed(self):
        """What was saved up to this pass belongs to layers that are over."""
        return self._pass

    def leaving_bytes(self):
        """Of what is on its way out and lies on the device still."""
        leaving = [reference() for reference in list(self.run.moving)]
        return sum(stored.bytes for stored in leaving if stored is not None and stored.storage is not None and stored.away)

    def ns_per_byte(self):
        """Of the copies so far, in both directions; 0 where there was none."""
        self._counters.read()
        copied = self._counters.device("swapped_out_bytes") + self._counters.device("swapped_in_bytes")
        return self._counters.device("copy_ns") / copied if copied else 0

    def stalled_ns(self):
        """What somebody has waited for copies so far."""
        self._counters.read()
        return self._counters.device("stall_ns")

    def limit(self):
        """Bytes that the device may hold now."""
        self._counters.read()
        return self._counters.device("limit_bytes")

    def native_backend(self):
        return self._counters.device("backend")

    def _moving_here(self):
        """What leaves in this thread's forwards, and what is left of threads that ended."""
        here = self._moving.setdefault(threading.get_ident(), collections.deque())
        if len(self._moving) > 1:
            for ended in self._moving.keys() - alive():
                here.extend(self._moving.pop(ended, ()))
        return here

    def _reap(self, moving):
        """Lets go of what has arrived on the host; copies arrive in order. Each stays in the row until that is done, also
        where it is interrupted; a backward in another thread may look at the same one."""
        if self.measurement is not None:
            self._looked = (self._looked + 1) % LOOKED_WHILE_MEASURED
            if self._looked == 0:
                self._forget_ended()  # what is over is not away any more
        while True:
            try:
                reference = moving[0]
            except IndexError:
                return
            stored = reference()
            if stored is not None and not stored.land():
                return
            with contextlib.suppress(IndexError, ValueError):  # another thread was faster
                moving.remove(reference)

    def forked(self):
        """In the child, where no other thread of the parent's is, and none gives back what it took."""
        self.measurement, self.claim = None, Claim()
        for stored in self.entries():
            stored.forked()

    def settle_goal(self, is_step=False):
        """Once a step: rescues raise what is sent ahead of need; after a calm while, memory that was never used lowers it."""
        self._counters.read()
        step, limit = self._counters.device("step"), self._counters.device("limit_bytes")
        measurement = self.measurement
        if measurement is not None and measurement.at_step(step):
            measurement.tell()
            self._end_measurement()
        self._look_at_cap(limit)
        if step == self._step and not is_step:
            return
        self._step = step
        self.leads.step_over()
        self._forget_ended()
        self._count_away()
        rescued, self.rescued_bytes = self.rescued_bytes, 0
        spare = limit - self._counters.device("last_step_peak_allocated_bytes") - limit // 16
        self._calm = 0 if rescued else self._calm + 1
        self.chooser.step_over(rescued, spare, self._calm > CALM_STEPS)
        if rescued and not self.policy.on:  # which does not look at the goal, so that rescues would raise it for ever
            self.goal_bytes += max(rescued, self.goal_bytes // 8)
        elif spare > 0 and self._calm > CALM_STEPS:
            self.goal_bytes = max(0, self.goal_bytes - spare // 4)

    def _look_at_cap(self, limit):
        """Says of a cap, once, that swapping cannot make it good, and which one it could."""
        least = self.native.least()
        if least <= limit or limit in self._unreachable:
            return
        self._unreachable.add(limit)
        cap, need = limit / (1 << 20), -(-least // (2 << 20)) * 2
        sys.stderr.write(
            "lacuna: swapping cannot reach a cap of %.2f MiB: steps like the last one need %d MiB at least, whatever leaves\n"
            % (cap, need)
        )

    def _count_away(self):
        """Threads that count at the same time may miscount."""
        self.away_bytes = sum(stored.bytes for stored in self.entries() if stored.away)

    # ------------------------------------------------------------ outside of forwards

    def may_leave(self, tensor):
        """Whether it is worth looking at, before anybody takes turns."""
        return self._eligible(tensor) and self._storage_of(tensor).nbytes() >= self._smallest

    def begin_outside(self, name):
        """A run of what is saved between forwards. Where nothing marks steps, each of them is one."""
        self.settle_goal(is_step=self._step == 0)
        return Run(name, self.number(name), self._moving_here(), outside=True)

    def keep_outside(self, tensor, run):
        """Something is saved between forwards, by a thread that has the claim: operators before this one are over."""
        self.swapping, self.run = True, run
        try:
            self._begin_serving()
            self.native.allow(self._pass)
            if len(self._by_cookie) >= self._look_at:
                self._forget_ended()
            if run.moving:
                self._reap(run.moving)
            if not self.everything:
                self._send()
            self._pass += 1
            return self.keep(tensor)
        finally:
            self.run = None

    # ------------------------------------------------------------ the goal

    def forward(self, module, name):
        """An outermost forward, of whom the claim is: everything that autograd saves meanwhile is kept here."""
        return _Forward(self, module, name)

    def begin_run(self, module, name):
        torch = sys.modules["torch"]
        self.settle_goal()
        if module is not None:
            held = itertools.chain(module.parameters(), module.buffers())
            self._kept = frozenset(tensor.data_ptr() for tensor in held if tensor.layout is torch.strided)
        run = self.run = Run(name, 0, self._moving_here())
        self._since = self._layer_since = None
        self.chooser.begin_run(run)
        return run

    def end_run(self, run, raised=None):
        """Nothing where an exception from outside kept it from its end until another run had begun."""
        if self.run is not run:
            return
        try:
            if not self.failed:
                self.end_pass()
                measurement = self.measurement
                if measurement is not None:
                    measurement.end_run()
        except Exception as broken:
            pass_on(broken)
            self.give_up(broken)
        finally:
            self.run = None
        self.postponed.tell(instead_of=raised)

    def give_up(self, broken):
        if not self.failed:
            self.failed = True
            self._end_measurement()
            self.native.set(OFF, KEEP_BUDGET)
            sys.stderr.write("lacuna: nothing more is swapped: %r\n" % (broken,))

    # ------------------------------------------------------------ rescue

    def _evict_on_oom(self, address, count):
        """A request would fail. Nothing is allocated here, and no collection of garbage may run in the middle of the
        framework's own code. What a signal handler raises in here goes back to the engine, which calls again."""
        collecting = gc.isenabled()
        gc.disable()
        try:
            self._let_go_of((ctypes.c_uint64 * count).from_address(address))
        except Exception as broken:
            pass_on(broken)
            say_once("a rescue let go of less than it could: %r" % (broken,))
        finally:
            if collecting:
                gc.enable()

    def _let_go_of(self, cookies):
        for cookie in cookies:
            known = self._by_cookie.get(cookie)
            stored = known.reference() if known is not None else None
            if stored is None:
                continue
            again, on_its_way = stored.returned, stored.away
            if not stored.let_go():
                continue
            stored.run.gone = True
            if again:
                self.leads.early(stored.key)
            elif not on_its_way:
                self.rescued_bytes += stored.bytes
                self.rescued_ever += stored.bytes

    def _serve(self):
        cookies = (ctypes.c_uint64 * SERVED_AT_ONCE)()
        self.native.bind()
        while not self.over:
            count = self.native.serve(cookies)
            if not count:
                continue
            try:
                self._evict_on_oom(ctypes.addressof(cookies), count)
            finally:
                self.native.served()


class _Forward:
    """From the beginning of a run to its end. No generator: an exception from outside leaves one to a finalizer, whose own
    exceptions reach nobody."""

    def __init__(self, manager, module, name):
        self._manager, self._module, self._name = manager, module, name
        self._run = self._hooks = None

    def __enter__(self):
        manager = self._manager
        self._run = manager.begin_run(self._module, self._name)
        try:
            manager.begin_pass(self._name)
            manager.policy.tell(manager.swapping)
            if manager.swapping or manager.measurement is not None:
                self._hooks = manager.hooks(manager.pack, manager.unpack)
                self._hooks.__enter__()
        except BaseException as broken:
            self.__exit__(type(broken), broken)
            raise

    def __exit__(self, kind=None, raised=None, trace=None):
        try:
            if self._hooks is not None:
                self._hooks.__exit__()
        finally:
            self._manager.end_run(self._run, raised)

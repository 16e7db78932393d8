"""The process's side: finds the agent, and wraps what runs under management."""

import contextlib
import ctypes
import os
import sys
import threading

from .agents import agents_here
from .engine import ALL, ASKED_MODE, ASKED_POLICY, ASKED_PROFILE, ASKED_RULE, KEEP, KEEP_BUDGET, OFF, ON, Native
from .faults import pass_on, say_once
from .hooks import give_way, script_has_hooks
from .layers import LayerHooks, only_where_claimed
from .manager import Manager
from .outside import NAME, Outside
from .parse import machine_memory, parse_budget, parse_link, parse_size
from .rules import RULES

SMALLEST = 512 << 10  # bytes: MindSpeed's, below which a copy is not worth its latency
LEAST_SHARE = 2048  # of a small device's memory: there less counts, too
ASKED_SOMETHING = ASKED_MODE | ASKED_PROFILE | ASKED_POLICY | ASKED_RULE
RULE_NAMES = {name: name for name in RULES}
_MODES = {"off": OFF, "on": ON, "all": ALL}


def _usual_budget():
    """Half of the machine's memory: the other half is the training process's."""
    return machine_memory() // 2


class Swap:
    """Finds the agent and its manager when the first forward runs."""

    def __init__(self, memory, environment, marker):
        self._memory, self._environment, self.marker = memory, environment, marker
        self._manager = self._hooks = None
        self._agents, self._known = None, set()  # addresses of those that were told the environment's settings
        self._agent, self._smallest = None, SMALLEST
        self._finding = threading.RLock()  # threads may begin their first forwards together
        self._broken = False
        self._outside = None
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self):
        """A child's engine is off and has no thread here; what it saved before measures nothing."""
        if self._manager is not None:
            self._manager.forked()
        self._manager = self._hooks = self._agent = None
        self._known.clear()
        self._finding = threading.RLock()

    def _find_agent(self, module):
        """The agent of the device that a module trains on, with the environment's settings; None before its first tensor.
        It may be another one each time until something is asked of one, which is then the one that is managed."""
        with self._finding:
            if self._manager is not None:
                return self._agent
            agents = self._agents = self._agents or agents_here()
            self._broken = agents is None
            agent = agents.of(module) if agents is not None else None
            if agent is None:
                return None
            if agent not in self._known:
                self._set_up(Native(agent), _Counters(self._memory, agent))
                self._known.add(agent)
            self._asked, self._agent = agents.asked, ctypes.c_void_p(agent)
            return self._agent

    def _set_up(self, native, counters):
        """What the environment asks for; what it leaves out may have been set from outside already."""
        given = counters.device("host_budget_bytes")
        usual = given or _usual_budget()
        budget = self._setting("SWAP_BUDGET", parse_budget, "a size like 8GiB, at most this machine's memory", "%dMiB" % (usual >> 20))
        link = self._setting("LINK", parse_link, "a rate like 24GB/s or 24GB/s,10us", "none: copies run as fast as memory")
        mode = self._setting("SWAP", _MODES.get, "on, off or all", "off")
        worth = min(SMALLEST, counters.device("limit_bytes") // LEAST_SHARE)
        smallest = self._setting("SWAP_SMALLEST", parse_size, "a size like 512KiB", "%dKiB" % (worth >> 10))
        self._smallest = max(1, worth if smallest is None else smallest)
        if budget is not None or not given:
            native.set(KEEP, usual if budget is None else budget)
        if link is not None:
            native.link(*link)
        if mode is not None and not native.set(mode, KEEP_BUDGET):
            sys.stderr.write("lacuna: nothing is swapped: this device cannot copy to a host\n")
        native.know_rules(RULES)
        rule = self._setting("SWAP_RULE", RULE_NAMES.get, "one of " + ", ".join(RULES), "none")
        if rule is not None and not native.tell_rule(rule):
            say_once("LACUNA_SWAP_RULE=%s chooses nothing while swapping is off" % rule)

    def _setting(self, name, read, wanted, instead):
        """What a variable says; None where it is not set, or says nothing that can be read, which is said."""
        text = self._environment.get("LACUNA_" + name)
        value = read(text) if text else None
        if text and value is None:
            say_once("LACUNA_%s=%s is not %s; taking %s" % (name, text, wanted, instead))
        return value

    def leave(self):
        """Nothing is away, and nothing will go any more."""
        if self._outside is not None:
            self._outside.close()
        if self._manager is not None:
            self._manager.over = True
        self._forget()
        self._outside = None

    def manager(self, module):
        """The manager while anything is asked of it: swapping, a policy, a profile; else None."""
        if self._broken:
            return None
        agent = self._find_agent(module) if self._manager is None else self._agent
        measuring = self._manager is not None and self._manager.measurement is not None
        if agent is None or not (self._asked(agent) & ASKED_SOMETHING or measuring):
            return None
        torch = sys.modules["torch"]
        enabled = getattr(torch._C._autograd, "_saved_tensors_hooks_is_enabled", None)
        if enabled is not None and not enabled():
            return None
        manager = self._manager or self._make_manager(agent)
        return None if manager.failed else manager

    def _make_manager(self, agent):
        """The one that this process has: two would give their entries the same names."""
        with self._finding:
            if self._manager is None:
                manager = Manager(agent.value, _Counters(self._memory, agent.value), self._smallest, self._recomputing)
                self._hooks = LayerHooks(manager)
                give_way()
                self._agent, self._manager = agent, manager
            return self._manager

    @contextlib.contextmanager
    def _recomputing(self):
        """Within backward, modules are called that are no forwards of the script's."""
        marker, thread = self.marker, threading.get_ident()
        if marker is None or thread in marker.inside:
            yield
            return
        try:
            marker.inside.add(thread)
            yield
        finally:
            marker.inside.discard(thread)

    def around(self, original, module, arguments, named):
        """Calls an outermost module, managed where swapping is on."""
        manager = self._claimed(sys._getframe(), module)
        if manager is None:
            return self._alone(original, module, arguments, named)
        try:
            with contextlib.ExitStack() as opened:
                self._open(opened, manager, module, type(module).__name__)
                return original(module, *arguments, **named)
        finally:
            manager.claim.give_back()
            if manager.swapping:
                self._guarded(lambda: self._open_outside(manager, type(module).__name__))

    def _alone(self, original, module, arguments, named):
        """A forward that is not managed may still be told what an earlier one could not."""
        if self._outside is not None:
            self._outside.close()
        result = original(module, *arguments, **named)
        if self._manager is not None:
            self._manager.postponed.tell()
        try:
            return result
        finally:
            del result  # checkpoints keep frames in a cycle until Python collects it: the output must not wait there, too

    def _claimed(self, frame, module):
        """The manager where the call of this frame is the one to be managed, until it gives its claim back."""
        manager = self._guarded(lambda: self.manager(module))
        if manager is None or not manager.claim.take(frame):
            return None
        managed = False
        try:
            managed = self._guarded(lambda: self._is_to_be_managed(manager))
            return manager if managed else None
        finally:
            if not managed:
                manager.claim.give_back()

    def _is_to_be_managed(self, manager):
        manager.run = None  # an exception from outside came between the beginning of the last one and its end
        if script_has_hooks():
            say_once("a forward within the script's own hooks for saved tensors is left to them")
            return False
        return manager.ask()

    def _open(self, opened, manager, module, name):
        """What is open while the module runs; nothing more where that fails."""
        try:
            opened.enter_context(manager.forward(module, name))
            if module is None:
                return
            if manager.swapping or manager.measurement is not None:
                opened.enter_context(self._hooks.on(module))
            trying = manager.chooser.on or manager.measurement is not None and manager.measurement.warming
            if manager.policy.on or trying:
                layers = self._hooks.layers(module)
                opened.enter_context(only_where_claimed(manager.claim, layers, manager.policy.on_layers(module, layers, trying)))
        except Exception as broken:
            pass_on(broken)
            manager.give_up(broken)

    # ------------------------------------------------------------ outside of modules

    def after_torch(self):
        """Where swapping is asked for from the start, functions count from the first on."""
        if self._environment.get("LACUNA_SWAP") in ("on", "all"):
            self._guarded(self._open_anywhere)

    def after_step(self):
        """Where it is asked for later, they do from the next step on."""
        manager = self._guarded(self._swapping)
        if manager is not None:
            self._guarded(lambda: self._open_outside(manager, NAME))

    def _open_anywhere(self):
        if self._outside is None and agents_here() is not None:
            self._outside = Outside(Native(0), lambda: self._guarded(self._swapping))
        if self._outside is not None:
            self._outside.open()

    def _open_outside(self, manager, name):
        if manager.failed:
            return
        if self._outside is None:
            self._outside = Outside(manager.native, lambda: self._guarded(self._swapping))
        self._outside.open(name)

    def _swapping(self):
        """The manager while something is to be swapped; else None."""
        manager = self.manager(None)
        return manager if manager is not None and self._asked(self._agent) & ASKED_MODE else None

    # ------------------------------------------------------------ functions

    def adapt(self, function, arguments, named):
        """Calls a function as a layer of its own."""
        manager = self._guarded(lambda: self.manager(None))
        if manager is None:
            return function(*arguments, **named)
        name = "adapt." + _name_of(function)
        if manager.claim.is_running():
            return self._adapt_within(manager, name, function, arguments, named)
        manager = self._claimed(sys._getframe(), None)
        if manager is None:
            return function(*arguments, **named)
        try:
            with contextlib.ExitStack() as opened:
                self._open(opened, manager, None, name)
                return function(*arguments, **named)
        finally:
            manager.claim.give_back()
            if manager.swapping:
                self._guarded(lambda: self._open_outside(manager, NAME))

    def _adapt_within(self, manager, name, function, arguments, named):
        outer = manager.run.layer if manager.run is not None and not manager.failed else None
        if outer is None:
            return function(*arguments, **named)
        self._hooks.next(name)
        try:
            return function(*arguments, **named)
        finally:
            self._hooks.next(outer)

    def _guarded(self, action):
        try:
            return action()
        except Exception as broken:
            pass_on(broken)
            self._broken = True
            sys.stderr.write("lacuna: nothing is swapped: %r\n" % (broken,))
            return None


def _name_of(function):
    """`Cube.apply` for what a class does."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, type):
        return "%s.%s" % (owner.__qualname__, function.__name__)
    return getattr(function, "__qualname__", type(function).__name__)


class _Counters:
    """The agent's counters, read again when asked."""

    def __init__(self, memory, agent):
        self._make = lambda: memory._Agent(memory._library(), agent)
        self.read()

    def read(self):
        self._now = self._make()

    def device(self, name):
        return self._now.device(name)

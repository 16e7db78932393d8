"""Marks the phases of training for the agent without the script's help.

- ``setup`` is open from the start until the first forward of an outermost ``nn.Module`` in grad mode, and during each
  optimizer's steps up to and including its first that completed: what is allocated then lives long.
- ``forward`` is the call of an outermost module with gradients enabled.
- ``step`` runs from one end of ``optimizer.step`` to the next; the first optimizer that steps is the marker, and the
  first step begins with the first forward.
- ``backward`` and ``optimizer`` are phases with names only: what ``torch.autograd.backward`` does, and an optimizer's step.

Nothing is imported for that: a finder waits until torch imports the modules in question and then replaces
``nn.Module.__call__`` by a descriptor that hands out the original for every inner call, and wraps the ``step`` of
optimizer classes. Numbers, random states and results pass through untouched. A fault in here is said once and
switches the marks off. An exception that arrives from outside at any moment, such as Ctrl-C in a notebook or a
time-out that a signal handler of the script raises, passes through and costs one mark at most.
"""

import os
import sys
from _thread import get_ident  # what every interpreter has loaded

SETUP, FORWARD, STEP = 0, 1, 2
FREE_TO_GO = 2  # lacuna_leaving
MOST_ROOTS = 256  # outermost modules that are remembered


_handlers = set()  # codes of those that were installed when somebody looked: some take themselves away before they raise
MOST_HANDLERS = 256  # that are remembered


def remember_handlers():
    """Takes some microseconds."""
    import _signal

    for handler in map(_signal.getsignal, range(1, _signal.NSIG)):
        if handler is not None and type(handler) is not int:  # none of the system's own
            if len(_handlers) >= MOST_HANDLERS:
                _handlers.clear()
            _handlers.add(_code_of(handler))


def is_from_signal_handler(traceback):
    """Whether the script's own handler raised: a time-out that happens to strike in here is meant for the script."""
    remember_handlers()
    while traceback is not None:
        if traceback.tb_frame.f_code in _handlers:
            return True
        traceback = traceback.tb_next
    return False


def _code_of(handler):
    """Of a function or method, also behind functools.partial, or of an object that can be called. Runs nothing of the
    script's: it may be asked about what answers to any name."""
    from types import FunctionType, MethodType

    partial = getattr(sys.modules.get("functools"), "partial", ())
    while issubclass(type(handler), partial):
        handler = partial.func.__get__(handler)
    if type(handler) is MethodType:
        handler = handler.__func__
    if type(handler) is not FunctionType:
        kinds = type.__getattribute__(type(handler), "__mro__")
        calls = [kind.__dict__["__call__"] for kind in kinds if "__call__" in kind.__dict__]
        handler = calls[0] if calls else None
    return handler.__code__ if type(handler) is FunctionType else None


class AfterImport:
    """A finder that lets the others find a module and acts once it has run."""

    def __init__(self, actions):
        self.actions = actions

    def find_spec(self, name, path=None, target=None):
        action = self.actions.pop(name, None)
        if action is None:
            return None
        if not self.actions and self in sys.meta_path:
            sys.meta_path.remove(self)
        for finder in list(sys.meta_path):
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find and finder is not self else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _ActingLoader(spec.loader, action)
                return spec
        return None


class _ActingLoader:
    """Runs a module as its own loader does, then the action, and leaves no trace of itself."""

    def __init__(self, loader, action):
        self._loader = loader
        self._action = action

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._action(module)


class _Mark:
    """One reason for a phase to be open, as the agent was told.

    An interrupt can arrive before and after the agent is told, so the mark counts as open from before its begin until
    after its end. Ending what the agent does not hold open is nothing to it. A phase is a number, or a name for who tells
    those.
    """

    CLOSED, UNSURE, OPEN = 0, 1, 2

    def __init__(self, phase):
        self._phase = phase
        self._state = self.CLOSED

    def begin(self, tell):
        """Begins the phase unless it surely is open."""
        if self._state == self.OPEN:
            return
        self.end(tell)
        self._state = self.UNSURE
        tell(self._phase, 1)
        self._state = self.OPEN

    def end(self, tell):
        """Ends the phase unless it surely is closed."""
        if self._state == self.CLOSED:
            return
        self._state = self.UNSURE
        tell(self._phase, 0)
        self._state = self.CLOSED


class _Marker:
    """Knows which phases are open and tells the agent. Everything public swallows its own faults."""

    def __init__(self):
        self.off = False
        self.inside = set()  # threads in which an outermost module is called
        self.stepping = False  # an optimizer's step is running
        self.tells_begins = True  # of optimizers' steps: where it does not, how long those take is not known
        self._starting = _Mark(SETUP)  # until training begins
        self._settling = _Mark(SETUP)  # during the first steps of an optimizer
        self._forward = _Mark(FORWARD)
        self._step = _Mark(STEP)
        self._backward, self._optimizing = _Mark(b"backward"), _Mark(b"optimizer")
        self.backwards = []  # threads in which a backward runs, once for each
        self._hook = None  # what stands for nn.Module.__call__
        self._leader = None  # weak reference to the optimizer that marks steps
        self._settled = None  # optimizers that have completed a step
        self._tell = self._name = None
        self._compacting = None
        self._roots = {}  # weak references to outermost modules that were called, by identity
        self.around = None  # calls an outermost module instead of its class: swap/
        self.after_step = None  # called between two steps: swap/
        self.between = None  # called with this marker between two steps where an agent is asked to compact: compact/
        self._leaving = None
        self.depart = None  # called between two steps once what was asked to leave holds nothing more: takeover.py
        self.undo = []  # what takes out again what was put in place

    def guard(self, action, *arguments):
        """Calls a private action; the first fault of its own ends all marking."""
        if self.off:
            return
        try:
            action(*arguments)
        except Exception as broken:
            if is_from_signal_handler(broken.__traceback__):
                raise
            self.off = True
            sys.stderr.write("lacuna: phases are no longer marked: %r\n" % (broken,))

    def _open(self):
        """Finds the agent in this process and opens set-up; without an agent there is nothing to mark."""
        if self._tell is not None:
            return
        import ctypes
        import weakref

        # PyDLL keeps the GIL: the call takes some 20 ns, giving the GIL away and back would take longer. The library is in
        # the global scope where it was preloaded, and has a name where it came later.
        library = ctypes.PyDLL(os.environ.get("LACUNA_TAKEN_OVER"))
        process_phase = getattr(library, "lacuna_process_phase", None)
        if process_phase is None:
            self.off = True
            return
        process_phase.argtypes = (ctypes.c_int, ctypes.c_int)
        process_phase.restype = None
        self._name = library.lacuna_process_named_phase
        self._name.argtypes, self._name.restype = (ctypes.c_char_p, ctypes.c_int), None
        self._compacting, self._leaving = library.lacuna_process_compacting, library.lacuna_process_leaving
        self._settled, self._ref = weakref.WeakSet(), weakref.ref
        self._tell = process_phase
        self._starting.begin(process_phase)

    def begin_late(self, optimizer):
        """The model is set up, and this optimizer has stepped before."""
        self._starting.end(self._tell)
        self._settled.add(optimizer)
        self._leader = self._ref(optimizer)

    def _begin_training(self):
        self._starting.end(self._tell)
        self._step.begin(self._tell)

    def begin_forward(self, module):
        """An outermost module is called."""
        self.guard(self._begin_forward, module)

    def _begin_forward(self, module):
        if not self.inside:
            self._forward.end(self._tell)  # what an interrupt left
        if _is_replayed():
            return
        self.inside.add(get_ident())
        if id(module) not in self._roots:
            self._remember(module)
        remember_handlers()
        self._begin_training()
        self._forward.begin(self._tell)

    def _remember(self, module):
        if len(self._roots) >= MOST_ROOTS:
            self._roots.clear()
        self._roots[id(module)] = self._ref(module)

    def modules(self):
        """Outermost modules that were called and are still there."""
        return [module for module in (root() for root in list(self._roots.values())) if module is not None]

    def end_forward(self):
        """The outermost module returned; the caller is no longer ``inside``."""
        self.guard(self._end_forward)

    def _end_forward(self):
        if not self.inside:
            self._forward.end(self._tell)

    def begin_backward(self):
        """The caller has put its thread among ``backwards``."""
        self.guard(self._begin_backward)

    def _begin_backward(self):
        self._backward.begin(self._name)

    def end_backward(self):
        """The caller has taken its thread out."""
        self.guard(self._end_backward)

    def _end_backward(self):
        if not self.backwards:
            self._backward.end(self._name)

    def forked(self):
        """Of the parent's threads the child has one."""
        self.inside &= {get_ident()}
        self.backwards[:] = [thread for thread in self.backwards if thread == get_ident()]

    def begin_optimizer(self, optimizer):
        """A step begins; the caller has set ``stepping``."""
        self.guard(self._begin_optimizer, optimizer)

    def _begin_optimizer(self, optimizer):
        self._settling.end(self._tell)  # what an interrupt left
        if not self.inside:
            self._forward.end(self._tell)
        if get_ident() in self.backwards:  # what an interrupt left
            self.backwards.clear()
        self._end_backward()
        if self._hook is not None:
            self._hook.keep()
        if self.tells_begins:
            self._optimizing.begin(self._name)
        if optimizer not in self._settled:
            self._settling.begin(self._tell)

    def end_optimizer(self, optimizer, completed):
        """A step returned or failed; the caller has cleared ``stepping``."""
        self.guard(self._end_optimizer, optimizer, completed)

    def _end_optimizer(self, optimizer, completed):
        import weakref

        self._settling.end(self._tell)
        self._optimizing.end(self._name)
        if not completed:
            return
        self._settled.add(optimizer)
        leader = self._leader() if self._leader is not None else None
        if leader is None:
            self._leader = weakref.ref(optimizer)
        elif leader is not optimizer:
            return
        self._step.end(self._tell)
        settle = getattr(sys.modules.get("_lacuna_front"), "between_steps", None)
        if settle is not None:
            settle()
        try:
            if self.after_step is not None:
                self.after_step()
            if self.between is not None and self._compacting():
                self.between(self)
            if self.depart is not None and self._leaving(None) == FREE_TO_GO:
                self.depart()
        finally:
            if not self.off:
                self._begin_training()

    def take_out(self):
        """Marks nothing any more, and takes out what was put in place."""
        self.off = True
        for undo in reversed(self.undo):
            undo()
        self.undo.clear()

    def optimizers(self):
        """Those that have completed a step and are still there."""
        return list(self._settled or ())

    def _leave(self):
        """A process that loads data neither sets up a model nor steps."""
        self._starting.end(self._tell)
        self._step.end(self._tell)
        self.off = True

    # ---------------------------------------------------------------- what is replaced in torch

    def mark_modules(self, module):
        """Acts on torch.nn.modules.module."""
        self.guard(self._open)
        if not self.off:
            self.guard(self._hook_calls, module.Module)

    def _hook_calls(self, Module):
        self._hook = _CallHook(Module, self)
        self._hook.keep()
        self.undo.append(self._hook.take_out)

    def mark_optimizers(self, module):
        """Acts on torch.optim.optimizer."""
        self.guard(self._open)
        if not self.off:
            self.guard(_watch_subclasses, module.Optimizer, self)

    def mark_backward(self, module):
        """Acts on torch.autograd: a tensor's own ``backward`` looks its function up there."""
        self.guard(self._open)
        if not self.off:
            self.guard(_wrap_backward, module, self)

    def mark_workers(self, module):
        """Acts on torch.utils.data._utils.worker."""
        self.guard(self._open)
        if not self.off:
            self.guard(_wrap_worker, module, self)


def _is_in_backward(torch):
    """Older PyTorch does not say it, but refuses callbacks for the end of a backward where there is none."""
    task = getattr(torch._C, "_current_graph_task_id", None)
    if task is not None:
        return task() != -1
    try:
        torch.autograd.Variable._execution_engine.queue_callback(_nothing)
        return True
    except RuntimeError:
        return False


def _nothing(*_):
    pass


def _is_replayed():
    """Whether a module runs inside backward (checkpointing computes again) or under a compiler's eyes."""
    torch = sys.modules["torch"]
    if _is_in_backward(torch):
        return True
    compiler = getattr(torch, "compiler", None)
    is_compiling = getattr(compiler, "is_compiling", None)
    return is_compiling is not None and is_compiling()


def _is_for_a_compiler(module):
    """torch.compile keeps what it reads as a module's ``__call__`` and traces into it: that is the original. The module
    that it makes around this one is marked."""
    asks = sys._getframe(2).f_globals.get("__name__") or ""
    return asks.startswith("torch._dynamo.") and not type(module).__module__.startswith("torch._dynamo.")


class _CallHook:
    """Keeps a descriptor in the place of ``nn.Module.__call__``."""

    def __init__(self, Module, marker):
        self._Module = Module
        self._marker = marker
        self._placed = self._before = None

    def keep(self):
        """Puts the descriptor in place, again where others have set a function since: tracers such as torch.fx save
        what they read as ``__call__``, which is the original, and set that when they are done."""
        from types import FunctionType

        current = self._Module.__dict__.get("__call__")
        if current is not self._placed and isinstance(current, FunctionType):
            self._placed, self._before = _call_around(current, self._marker), current
            self._Module.__call__ = self._placed

    def take_out(self):
        if self._placed is not None and self._Module.__dict__.get("__call__") is self._placed:
            self._Module.__call__ = self._before


def _call_around(original, marker):
    """The descriptor that marks outermost calls of this function."""
    from types import MethodType

    from torch import is_grad_enabled

    def outermost(self, *arguments, **named):
        thread = get_ident()
        if thread in marker.inside:  # the method was taken outside and is called inside
            return original(self, *arguments, **named)
        try:
            marker.begin_forward(self)
            if thread in marker.inside and marker.around is not None:
                return marker.around(original, self, arguments, named)
            return original(self, *arguments, **named)
        finally:
            marker.inside.discard(thread)  # first, because an interrupt arrives when a call is over
            marker.end_forward()

    class Call:
        """Stands for ``__call__``: on the class and for inner calls it is the original, so that neither other code
        that looks at it nor tracebacks see a difference."""

        __slots__ = ()

        def __get__(self, module, owner=None):
            if module is None:
                return original
            if get_ident() in marker.inside or marker.off or not is_grad_enabled() or _is_for_a_compiler(module):
                return MethodType(original, module)
            return MethodType(outermost, module)

    return Call()


def _wrap_step(cls, marker):
    import functools

    step = cls.__dict__.get("step")
    if not callable(step) or getattr(step, "_lacuna", False):
        return

    @functools.wraps(step)
    def marked(self, *arguments, **named):
        if marker.stepping or marker.off:  # a subclass calls its parent's
            return step(self, *arguments, **named)
        completed = False
        try:
            marker.stepping = True
            marker.begin_optimizer(self)
            result = step(self, *arguments, **named)
            completed = True
            return result
        finally:
            marker.stepping = False  # first and without a call, as in a forward
            marker.end_optimizer(self, completed)

    marked._lacuna = True
    cls.step = marked


def _watch_subclasses(Optimizer, marker):
    own = Optimizer.__dict__.get("__init_subclass__")

    def __init_subclass__(cls, **named):
        if own is not None:
            own.__func__(cls, **named)
        else:
            super(Optimizer, cls).__init_subclass__(**named)
        marker.guard(_wrap_step, cls, marker)

    Optimizer.__init_subclass__ = classmethod(__init_subclass__)
    for known in Optimizer.__subclasses__():
        _wrap_step(known, marker)


def _wrap_backward(module, marker):
    import functools

    backward = module.backward

    @functools.wraps(backward)
    def marked(*arguments, **named):
        thread = get_ident()
        marker.backwards.append(thread)
        try:
            marker.begin_backward()
            return backward(*arguments, **named)
        finally:
            if thread in marker.backwards:
                marker.backwards.remove(thread)
            marker.end_backward()

    _stand_for(module, "backward", marked, marker)


def _wrap_worker(module, marker):
    import functools

    loop = module._worker_loop

    @functools.wraps(loop)
    def worker_loop(*arguments, **named):
        marker.guard(marker._leave)
        return loop(*arguments, **named)

    _stand_for(module, "_worker_loop", worker_loop, marker)


def _stand_for(module, name, function, marker):
    """Puts a function in the place of a module's; what was set since is left alone when it is taken out."""
    before = getattr(module, name)
    setattr(module, name, function)

    def take_out():
        if getattr(module, name) is function:
            setattr(module, name, before)

    marker.undo.append(take_out)


def install(around=None):
    """Waits for torch. `around(original, module, arguments, named)` then calls outermost modules. Returns the marker."""
    marker = _Marker()
    marker.around = around
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=marker.forked)
    sys.meta_path.insert(
        0,
        AfterImport(
            {
                "torch.nn.modules.module": marker.mark_modules,
                "torch.optim.optimizer": marker.mark_optimizers,
                "torch.autograd": marker.mark_backward,
                "torch.utils.data._utils.worker": marker.mark_workers,
            }
        ),
    )
    return marker


class Ends:
    """Has a function called with each optimizer whose step has ended, in the thread that ends it: by PyTorch's hook for all
    optimizers (2.0 and later), before that by the mark that it makes for profilers.

    Hooks may be being walked through just now, by whoever calls us or by another thread: adding or taking out one would end that
    walk with an error, unless the walk is at its last. So this one stays where it is and calls another function; what cannot be
    taken out does nothing.
    """

    def __init__(self, torch, told):
        self.told = told
        self._optimizers = sys.modules.get("torch.optim.optimizer") or torch.optim
        self._handle = self._code = self._before = None
        register = getattr(self._optimizers, "register_optimizer_step_post_hook", None)
        if register is not None:
            self._handle = register(self)
        else:
            self._stand_for_the_mark()

    @staticmethod
    def are_told(torch):
        optimizers = sys.modules.get("torch.optim.optimizer")
        return hasattr(optimizers, "register_optimizer_step_post_hook") or hasattr(torch.optim.Optimizer, "_optimizer_step_code")

    def _stand_for_the_mark(self):
        kind = self._optimizers.Optimizer
        before = self._before = kind._optimizer_step_code

        def step_code(optimizer):
            self.told(optimizer)
            return before(optimizer)

        kind._optimizer_step_code = self._code = step_code

    def __call__(self, optimizer, *_):
        self.told(optimizer)

    def take_out(self):
        self.told = _nothing
        if self._handle is not None:
            _take_hook_out(self._handle)
        elif self._optimizers.Optimizer.__dict__.get("_optimizer_step_code") is self._code:
            self._optimizers.Optimizer._optimizer_step_code = self._before


def _take_hook_out(handle):
    hooks = handle.hooks_dict_ref()
    if hooks is None or handle.id not in hooks:
        return
    if next(reversed(hooks)) == handle.id:
        handle.remove()
    else:
        hooks[handle.id] = _nothing


def install_late(torch, optimizer, around=None, ends=None):
    """The same in a training that runs, to be called at the end of a step of `optimizer`: no module is being called then.

    Optimizers are marked from outside: schedulers keep the bound method that they found, which no class can replace any more. A
    step that fails has no end there; the next one's begin finds it open. Before PyTorch 2.0 nobody tells of its begin.

    :param ends: the `Ends` that call this; the marker is called by them from then on
    """
    marker = _Marker()
    marker.around = around
    os.register_at_fork(after_in_child=marker.forked)
    marker.mark_modules(sys.modules["torch.nn.modules.module"])
    marker.mark_backward(sys.modules["torch.autograd"])
    if not marker.off:
        marker.begin_late(optimizer)
        _mark_steps(marker, torch, ends)
    if "torch.utils.data._utils.worker" in sys.modules:
        marker.mark_workers(sys.modules["torch.utils.data._utils.worker"])
    return marker


def _mark_steps(marker, torch, ends):
    register = getattr(sys.modules.get("torch.optim.optimizer"), "register_optimizer_step_pre_hook", None)

    def begin(each, *_):
        marker.stepping = True
        marker.begin_optimizer(each)

    def end(each):
        if register is None:
            marker.begin_optimizer(each)
        marker.stepping = False
        marker.end_optimizer(each, True)

    if ends is None:
        ends = Ends(torch, end)
    ends.told = end
    marker.tells_begins = register is not None
    marker.undo.append(ends.take_out)
    if register is not None:
        before = register(begin)
        marker.undo.append(lambda: _take_hook_out(before))

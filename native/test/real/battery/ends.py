"""Processes that end in their own way, with a graph that waits, and those that lose what they had open."""

import _thread
import atexit
import os
import signal
import sys
import threading
import time

import torch
from registry import workload
from torch import nn

N = 64


def blocks(count=3):
    return nn.Sequential(*(nn.Sequential(nn.Linear(N, N), nn.Tanh()) for _ in range(count)))


def step(tell=None, model=None):
    """One step; a loss whose backward is still to come."""
    model = model or blocks()
    model(torch.randn(200, N)).square().mean().backward()
    if tell is not None:
        tell(*(parameter.grad for parameter in model.parameters()))
    return model(torch.randn(200, N)).square().mean()


class Fails(nn.Module):
    def __init__(self, call):
        super().__init__()
        self.call = call

    def forward(self, x):
        return self.call(x)


class Mistake(Exception):
    pass


def fail(x):
    raise Mistake("of the script")


@workload(daily=True)
def exceptions_in_forward_that_are_caught(tell):
    model = blocks()
    for call in (fail, lambda x: x @ x, lambda x: torch.empty(1 << 60)):
        try:
            nn.Sequential(model, Fails(call), model)(torch.randn(200, N))
        except (Mistake, RuntimeError) as error:
            tell(isinstance(error, Mistake))
        step(tell, model)


@workload()
def exceptions_in_backward_that_are_caught(tell):
    class Backward(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 1

        @staticmethod
        def backward(ctx, gradient):
            raise Mistake("in backward")

    model = blocks()
    for _ in range(2):
        loss = nn.Sequential(model, Fails(Backward.apply), model)(torch.randn(200, N)).sum()
        try:
            loss.backward()
        except Mistake as error:
            tell(str(error))
        step(tell, model)


@workload(daily=True, ends=1)
def exception_in_forward(tell):
    waits = step(tell)
    nn.Sequential(blocks(), Fails(fail))(torch.randn(200, N))
    tell(waits)


@workload(ends=1)
def out_of_memory_of_any_machine(tell):
    waits = step(tell)
    nn.Sequential(blocks(), Fails(lambda x: torch.empty(1 << 60)))(torch.randn(200, N))
    tell(waits)


@workload(daily=True, ends=3)
def sys_exit_in_a_layer(tell):
    atexit.register(lambda: tell("at exit"))
    waits = step(tell)
    nn.Sequential(blocks(), Fails(lambda x: sys.exit(3)))(torch.randn(200, N))
    tell(waits)


@workload(ends=1)
def sys_exit_with_words(tell):
    waits = step(tell)
    sys.exit("words in place of a status" if waits is not None else 0)


@workload(daily=True, ends=4)
def os_exit(tell):
    atexit.register(lambda: tell("never"))
    waits = step(tell)
    tell(waits)
    os._exit(4)


@workload(ends=5)
def os_exit_in_a_hook_of_backward(tell):
    loss = step(tell)
    x = torch.randn(200, N, requires_grad=True)
    x.register_hook(lambda gradient: os._exit(5))
    (blocks()(x).sum() + loss).backward()


@workload(daily=True, ends=-signal.SIGTERM)
def terminated(tell):
    waits = step(tell)
    tell(waits)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(60)


@workload(ends=-signal.SIGINT)
def interrupted(tell):
    waits = step(tell)
    tell(waits)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    model = blocks()
    until = time.monotonic() + 60
    while time.monotonic() < until:
        model(torch.randn(200, N)).sum().backward()


@workload(ends=-signal.SIGKILL)
def killed(tell):
    waits = step(tell)
    tell(waits)
    os.kill(os.getpid(), signal.SIGKILL)


@workload(ends=-signal.SIGABRT)
def aborted(tell):
    waits = step(tell)
    tell(waits)
    os.abort()


@workload(ends=-signal.SIGSEGV)
def fault_of_the_scripts_own(tell):
    waits = step(tell)
    tell(waits)
    os.kill(os.getpid(), signal.SIGSEGV)


@workload(alone=True)
def handlers_of_signals(tell):
    """A time-out, a request to save and an interrupt that are caught, and training goes on."""
    seen = []

    class TimeOut(Exception):
        pass

    def strike(number, frame):
        seen.append(number)
        if number == signal.SIGALRM:
            raise TimeOut

    for number in (signal.SIGUSR1, signal.SIGALRM):
        signal.signal(number, strike)
    model = blocks()
    for call in (lambda: os.kill(os.getpid(), signal.SIGUSR1), lambda: signal.setitimer(signal.ITIMER_REAL, 0.02), _thread.interrupt_main):
        try:
            call()
            until = time.monotonic() + 60
            while signal.SIGUSR1 not in seen[-1:] and time.monotonic() < until:
                model(torch.randn(200, N)).sum().backward()
        except (TimeOut, KeyboardInterrupt) as struck:
            tell(type(struck).__name__)
        seen.append(None)
    tell(seen)
    for signal_number in (signal.SIGUSR1, signal.SIGALRM):
        signal.signal(signal_number, signal.SIG_DFL)
    model.zero_grad()
    torch.manual_seed(2)
    step(tell, model)


@workload(daily=True, ends=7)
def handler_that_exits(tell):
    def strike(number, frame):
        tell("handled", number)
        sys.exit(7)

    signal.signal(signal.SIGTERM, strike)
    waits = step(tell)
    tell(waits)
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGTERM)).start()
    model = blocks()
    until = time.monotonic() + 60
    while time.monotonic() < until:
        model(torch.randn(200, N)).sum().backward()


@workload(alone=True, daily=True)
def closed_descriptors(tell):
    """All but the three, before the first step and after."""
    for _ in range(2):
        os.closerange(3, 4096)
        waits = step(tell)
        waits.backward()
    tell(waits)


@workload(alone=True)
def closed_standard_streams(tell):
    waits = step(tell)
    for number in range(3):
        os.close(number)
    held = [os.open(os.devnull, os.O_RDWR) for _ in range(3)]
    step(tell)
    waits.backward()
    tell(waits, held)


@workload(alone=True)
def daemon(tell):
    """Leaves its parent, its session and its descriptors, and trains."""
    reader, writer = os.pipe()
    step()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.closerange(0, writer)
        os.closerange(writer + 1, 4096)
        os.chdir("/")
        torch.manual_seed(1)
        step(tell)
        os.write(writer, b"over")
        os._exit(0)
    os.close(writer)
    tell(os.read(reader, 4), os.waitpid(child, 0)[1])
    torch.manual_seed(2)
    step(tell)


@workload(alone=True)
def graph_that_waits_at_the_end_of_the_interpreter(tell):
    global kept
    kept = step(tell)
    atexit.register(lambda: (kept.backward(), tell(kept)))


@workload(ends=1)
def other_program_takes_the_process(tell):
    waits = step(tell)
    tell(waits)
    os.execv(sys.executable, [sys.executable, "-c", "import sys; sys.exit('the other')"])

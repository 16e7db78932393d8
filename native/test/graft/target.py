"""What is attached to: target.py KIND. Prints "ready", then what it sees of itself; ends when its standard input does."""

import os
import select
import signal
import sys
import threading
import time


def ended():
    return select.select([0], [], [], 0)[0]


LOOK_S = 0.05


def busy():
    """Looks at its input seldom: a thread that lets go of Python's lock for a moment, and does so more often than others ask for it
    (every 5 ms), keeps them waiting without end."""
    total, turns, looked = 0.0, 0, time.monotonic()
    while True:
        if time.monotonic() - looked > LOOK_S:
            if ended():
                return
            looked = time.monotonic()
        part = 0.0
        for n in range(2000):
            part += n * 0.5
        if turns and part != total:
            print("wrong sum", flush=True)
        total, turns = part, turns + 1


def sleep():
    while not ended():
        before = time.monotonic()
        time.sleep(0.2)
        if time.monotonic() - before < 0.19:
            print("short sleep", flush=True)


def epoll():
    """As an event loop does: whatever wakes it up too early is an error."""
    poll = select.epoll()
    poll.register(0, select.EPOLLIN)
    while True:
        before = time.monotonic()
        found = poll.poll(0.2)
        if found:
            return
        if time.monotonic() - before < 0.19:
            print("early", flush=True)


def threads():
    over = threading.Event()

    def work():
        while not over.is_set():
            sum(range(1000))
            time.sleep(0.001)

    others = [threading.Thread(target=work) for _ in range(12)]
    for thread in others:
        thread.start()
    print("all there", flush=True)
    busy()
    over.set()
    for thread in others:
        thread.join()


def long_call():
    """Most of a second in C without a look at anything."""
    data = b"x" * (40 << 20)
    import hashlib

    while not ended():
        hashlib.pbkdf2_hmac("sha256", data[:64], b"salt", 400000)


def starts():
    """Its main thread is in the kernel, where nothing stops it, until its child could open a file."""
    pipe = sys.argv[2]
    print("starting", flush=True)
    child = os.posix_spawn("/bin/true", ["true"], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 0, pipe, os.O_RDONLY, 0)])
    os.waitpid(child, 0)
    busy()


def deep():
    """Waits where its stack ends a little below, as it has grown to what was needed; then, once it is told, at the top."""
    import ctypes

    def down(left):
        if left:
            again(left - 1)
        else:
            os.write(1, b"deep\n")
            os.read(0, 1)

    again = ctypes.CFUNCTYPE(None, ctypes.c_int)(down)
    again(int(sys.argv[2]))
    busy()


def forks():
    """A DataLoader's way: children come and go, and must not keep anything of ours."""
    while not ended():
        child = os.fork()
        if child == 0:
            paths = ["/proc/self/fd/" + name for name in os.listdir("/proc/self/fd")]
            held = [os.readlink(path) for path in paths if os.path.lexists(path)]
            mine = [link for link in held if link.startswith(("socket:", os.environ.get("TARGET_DIRECTORY", "-")))]
            for link in mine:
                print("a child keeps %s" % link, flush=True)
            os._exit(1 if mine else 0)
        status = os.waitpid(child, 0)[1]
        if status:
            print("a child ended with %d" % status, flush=True)
        time.sleep(0.02)


def interrupted():
    """Interrupts strike all the time. One that falls into the first line of what is posted arrives as a SystemError.

    The loop goes on until it is struck. Looking at ended() more often than every 5 ms (sys.getswitchinterval) would give up the
    interpreter's lock for so short a while, and so often, that no other thread ever gets it.
    """
    heard, exposed = [0], [False]

    def interrupt(*_):
        if exposed[0]:
            exposed[0] = False
            heard[0] += 1
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    caught, patience = 0, time.monotonic() + 30
    while not ended() or (caught < 10 and time.monotonic() < patience):  # on a busy machine it may be over before the first
        try:
            exposed[0] = True  # one that a text raises again finds this unset and is not heard twice
            for _ in range(1000000):
                pass
            exposed[0] = False
        except (KeyboardInterrupt, SystemError):
            caught += 1
    if caught < 10 or caught < heard[0] - 10:
        print("%d interrupts were raised, %d were caught" % (heard[0], caught), flush=True)


def is_killed_for_a_socket():
    import filters

    filters.lay(filters.KILL, "socket")
    print("filtered", flush=True)
    busy()


def is_killed_for_a_mapping():
    """Nothing may be mapped from here on: what it needs it has."""
    import filters

    filters.lay(filters.KILL, "mmap")
    os.write(1, b"filtered\n")
    while not ended():
        time.sleep(0.02)
    os.write(1, b"done\n")
    os._exit(0)


def contained():
    """As the first process of a container: what it starts has its filter, and perhaps one of its own. Words: the call that is
    refused there, and what is started."""
    import filters

    filters.lay(filters.REFUSE, sys.argv[2])
    child = os.fork()
    if child == 0:
        print("inside", flush=True)
        globals()[sys.argv[3]]()
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print("it was killed", flush=True)


def filtered_first():
    """The first process itself has a filter: nobody can tell whose it is."""
    import filters

    filters.lay(filters.REFUSE, "userfaultfd")
    print("inside", flush=True)
    busy()


def no_threads(possible=0):
    """As where the limit of processes is reached, which binds no root."""
    import _thread

    start, started = _thread.start_new_thread, []

    def limited(*arguments):
        if len(started) >= possible:
            raise RuntimeError("can't start new thread")
        started.append(None)
        return start(*arguments)

    _thread.start_new_thread = limited
    print("limited", flush=True)
    busy()


def one_thread():
    no_threads(1)


def second_interpreter():
    """The main thread is in one of its own making until its input ends, and makes an end of it then. One that is as free as the
    first may have threads, and is aborted by Python where one of them is left."""
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters
    try:
        made = interpreters.create(isolated=False)
    except TypeError:
        made = interpreters.create()
    run = getattr(interpreters, "run_string", None) or interpreters.exec
    run(made, """if True:
        import select
        print("inside", flush=True)
        while not select.select([0], [], [], 0)[0]:
            for _ in range(3000000):
                pass
    """)  # fmt: skip
    interpreters.destroy(made)


def becomes_itself_anew():
    """Another thread or the main one makes a new program of the process, at a moment that is its turn's own."""
    turns = 40
    turn = int(os.environ.get("TARGET_TURN", "0"))
    if turn == turns:
        print("over", flush=True)
        busy()
        return
    environment = dict(os.environ, TARGET_TURN=str(turn + 1))

    def become():
        time.sleep(turn % 8 * 0.003)
        os.execve(sys.executable, [sys.executable] + sys.argv, environment)

    if turn % 2:
        become()
    threading.Thread(target=become, daemon=True).start()
    while True:
        time.sleep(0.0005)


def train(a_step=lambda settings: 0.005, device="cuda"):
    """Steps of the played PyTorch. `a_step`: its seconds under settings."""
    import torch

    getattr(torch, device).init()
    weights = [torch.cuda.memory.allocate(8 << 20) for _ in range(4)]
    optimizer = torch.optim.Optimizer()
    while not ended():
        work = [torch.cuda.memory.allocate((n + 1) << 20) for n in range(6)]
        time.sleep(a_step(torch._C.settings))
        for address in work:
            torch.cuda.memory.free(address)
        optimizer.step()
    del weights


def train_slowed_by_settings():
    train(lambda settings: 0.4 if settings else 0.005)  # slower than any step that a busy machine has held up


def train_on_npu():
    """And prints what it finds switched on at the end."""
    import torch_npu

    train(device="npu")
    core = torch_npu._C
    print("done", core.history, core.settings, core.expandable, torch_npu.npu.fraction, flush=True)


def train_by_hand():
    """A step for each line; an empty one ends it."""
    import torch

    optimizer = torch.optim.Optimizer()
    while True:
        time.sleep(0.005)
        if ended():  # or there is a line
            if not sys.stdin.readline().strip():
                return
            optimizer.step()


def train_later():
    """PyTorch comes late, when a file called `go` lies beside the directory, and its device later still."""
    go = os.path.join(os.path.dirname(os.environ["TARGET_DIRECTORY"]), "go")
    while not os.path.exists(go):
        time.sleep(0.01)
    import torch  # noqa: F401

    train()


if __name__ == "__main__":
    kind = globals()[sys.argv[1]]
    if kind in (train, train_slowed_by_settings, train_by_hand):  # who attaches then finds the device
        import torch

        torch.cuda.init()
    print("ready", flush=True)
    kind()
    print("done", flush=True)

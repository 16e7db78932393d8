"""Swapped tensors that end, are freed or are wanted in odd moments: signals, forks, other threads, storages that are resized."""

from case import Case, nightly
from swap_cases import Compared

KEEP = """
            class Keep(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x, y):
                    ctx.save_for_backward(y)
                    return x * 1
                @staticmethod
                def backward(ctx, gradient):
                    return gradient, None
"""


class Signals(Case):
    maxDiff = None

    def test_what_a_handler_raises_in_a_rescue_reaches_the_script(self):
        script = self.script(
            """
            import functools, lacuna, signal, time, torch, torch.nn as nn
            class Late(Exception): pass
            class Rare(Exception): pass
            def strike(kind):
                def handler(*_):
                    raise kind("now")
                signal.signal(signal.SIGALRM, functools.partial(handler) if kind is Rare else handler)
            model = nn.Sequential(*(nn.Sequential(nn.Linear(512, 512), nn.Tanh()) for _ in range(8)))
            for kind in (KeyboardInterrupt, SystemExit, Late, Rare):
                strike(kind)
                out = model(torch.randn(2048, 512))
                before = lacuna.swap_stats("cpu")["rescues"]
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.1)
                    room = torch.UntypedStorage(40 << 20)  # asked for with Python's lock held, and waited for half a second
                    room = None
                    model(torch.randn(4, 512))
                    time.sleep(0.2)
                except kind:
                    assert lacuna.swap_stats("cpu")["rescues"] > before
                    print(kind.__name__)
                out.sum().backward()
                out = None
            """
        )
        done = self.run_under([script], ("--capacity", "64MiB", "--swap", "on", "--link", "60MB/s"), LACUNA_SWAP_SMALLEST="4096")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "KeyboardInterrupt\nSystemExit\nLate\nRare\n", ""))

    def test_an_interrupt_does_not_take_the_place_of_what_another_handler_raises_in_the_same_rescue(self):
        script = self.script(
            """
            import lacuna, os, signal, threading, time, torch, torch.nn as nn
            class Late(Exception): pass
            def interrupt(*_):
                raise KeyboardInterrupt
            def late(*_):
                raise Late
            signal.signal(signal.SIGUSR1, interrupt)
            signal.signal(signal.SIGUSR2, late)
            model = nn.Sequential(*(nn.Sequential(nn.Linear(512, 512), nn.Tanh()) for _ in range(8)))
            out = model(torch.randn(2048, 512))
            before, seen = lacuna.swap_stats("cpu")["rescues"], []
            strike = "sleep 0.1; kill -USR1 %d; kill -USR2 %d" % (os.getpid(), os.getpid())
            def catching(call):
                try:
                    call()
                except BaseException as struck:
                    seen.append(type(struck).__name__)
            def room():
                os.system("(%s) &" % strike)
                torch.UntypedStorage(40 << 20)
                time.sleep(0.1)
            catching(room)
            for _ in range(3):
                catching(lambda: model(torch.randn(4, 512)))
            assert lacuna.swap_stats("cpu")["rescues"] > before
            print(*sorted(seen))
            """
        )
        done = self.run_under([script], ("--capacity", "64MiB", "--swap", "on", "--link", "60MB/s"), LACUNA_SWAP_SMALLEST="4096")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "KeyboardInterrupt Late\n", ""))

    @nightly("by day at chosen places")
    def test_wherever_a_signal_strikes_the_script_hears_of_it_as_what_it_is(self):
        # At each place in turn where Python runs handlers: as a function begins, and as a call of C's returns.
        script = self.script(
            """
            import gc, lacuna, signal, sys, torch, torch.nn as nn
            class TimeOut(Exception): pass
            def strike(*_):
                raise kind()
            signal.signal(signal.SIGUSR1, strike)
            model = nn.Sequential(*(nn.Sequential(nn.Linear(64, 64), nn.Tanh()) for _ in range(2)))
            x = torch.randn(64, 64)
            def step():
                model.zero_grad()
                model(x).sum().backward()
                return [weight.grad.clone() for weight in model.parameters()]
            step()
            wanted, missed = step(), []
            sys.unraisablehook = lambda lost: missed.append("%s in %r" % (lost.exc_type.__name__, lost.object))
            class Watch:
                def __init__(self, last):
                    self.left, self.place = last, None
                def __call__(self, frame, event, called):
                    if "/lacuna/" not in frame.f_code.co_filename or event not in ("call", "c_return"):
                        return
                    self.left -= 1
                    if self.left == 0:
                        sys.setprofile(None)
                        self.place = frame.f_code.co_filename, frame.f_lineno, event
                        strike()
            def strike_at(last):
                watch = Watch(last)
                try:
                    sys.setprofile(watch)
                    try:
                        step()
                    finally:
                        sys.setprofile(None)
                    model(x)  # what could not be raised before
                    got = None
                except (Exception, KeyboardInterrupt) as broken:
                    got = type(broken)
                if watch.place and got is not kind:
                    missed.append((watch.place, got))
                return watch.place is not None
            for kind in (KeyboardInterrupt, TimeOut):
                places = 0
                while strike_at(places + 1):
                    places += 1
                    assert all(map(torch.equal, step(), wanted)), places
                print(places > 300, missed)
            gc.collect()
            print(lacuna.swap_stats("cpu")["host_used_bytes"])
            """
        )
        done = self.run_under([script], ("--capacity", "1GiB", "--swap", "all"), LACUNA_SWAP_SMALLEST="4096")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "True []\nTrue []\n0\n", ""))

    def test_signals_that_come_together_are_told_together_and_those_that_repeat_once(self):
        script = self.script(
            """
            import ctypes, gc, lacuna, signal, torch, torch.nn as nn
            from functools import partial
            class Late(Exception): pass
            class Odd:
                def __getattr__(self, name):
                    return self
                def __call__(self, *_):
                    raise Late
            signal.signal(signal.SIGHUP, Odd())
            def late(*_):
                raise Late
            def interrupt(*_):
                signal.signal(signal.SIGUSR2, signal.SIG_IGN)  # as who takes itself away
                raise KeyboardInterrupt
            strike = ctypes.PyDLL(None)["raise"]  # handlers run later, where Python does
            one, two = partial(strike, signal.SIGUSR1), partial(strike, signal.SIGUSR2)
            def together(*calls):  # of C's: no handler runs in between
                return list(map(partial.__call__, calls))[-1]
            class Struck(nn.Module):
                calls = [lambda tanh: [tanh]]
                def forward(self, x):
                    return together(*self.calls[-1](partial(torch.tanh, x))) * 1
            model = nn.Sequential(Struck(), nn.Tanh(), nn.Tanh())
            x = torch.randn(64, 64, requires_grad=True)
            engine = torch.autograd.Variable._execution_engine
            def forward(calls):
                Struck.calls.append(calls)
                try:
                    model(x)
                finally:
                    Struck.calls.pop()
            def backward(*strikes):
                loss = model(x).sum()
                run = partial(engine.run_backward, (loss,), (torch.ones(()),), False, False, (), allow_unreachable=True, accumulate_grad=True)
                together(*strikes, run)
            def told(call, *arguments):
                signal.signal(signal.SIGUSR1, late)
                signal.signal(signal.SIGUSR2, interrupt)
                heard = []
                try:
                    call(*arguments)
                except (Late, KeyboardInterrupt, ValueError) as broken:
                    heard += [type(broken).__name__, type(broken.__context__).__name__]
                for _ in range(3):
                    try:
                        model(x).sum().backward()
                    except (Late, KeyboardInterrupt) as broken:
                        heard.append("later " + type(broken).__name__)
                print(*heard)
            told(backward)
            told(backward, one)
            told(backward, one, two)
            told(forward, lambda tanh: [one, two, tanh])
            told(forward, lambda tanh: [one, tanh, one, tanh, two, tanh, one, tanh])
            told(forward, lambda tanh: [two, tanh, partial(int, "no")])
            gc.collect()
            gc.disable()
            before = lacuna.memory_allocated("cpu")
            for _ in range(4):
                told(forward, lambda tanh: [one, tanh])
            assert lacuna.memory_allocated("cpu") == before
            """
        )
        done = self.run_under([script], ("--capacity", "1GiB", "--swap", "all"), LACUNA_SWAP_SMALLEST="4096")
        wanted = "\nLate NoneType\n" + "KeyboardInterrupt Late\n" * 3 + "KeyboardInterrupt ValueError\n" + "Late NoneType\n" * 4
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, wanted, ""))

    def test_no_interrupt_of_a_backward_is_lost_and_nothing_stays(self):
        script = self.script(
            """
            import gc, lacuna, random, signal, sys, time, torch, torch.nn as nn
            model = nn.Sequential(*(nn.Sequential(nn.Linear(128, 128), nn.Tanh()) for _ in range(12)))
            x, lost, struck = torch.randn(128, 128), 0, 0
            def handler(*_):
                global struck
                struck += 1
                raise KeyboardInterrupt
            signal.signal(signal.SIGALRM, handler)
            random.seed(1)
            sys.unraisablehook = lambda *_: None
            for _ in range(300):
                before, seen = struck, False
                try:
                    out = model(x).sum()
                    signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0001, 0.004))
                    out.backward()
                    time.sleep(0.006)
                except KeyboardInterrupt:
                    seen = True
                lost += struck > before and not seen
            out = None
            gc.collect()
            stays = lacuna.swap_stats("cpu")["host_used_bytes"]
            print(lost, stays, struck > 250)
            """
        )
        done = self.run_under([script], ("--capacity", "1GiB", "--swap", "all"), LACUNA_SWAP_SMALLEST="4096")
        self.assertEqual((done.returncode, done.stdout), (0, "0 0 True\n"), done.stderr)


class OddEnds(Compared):
    def test_a_graph_that_is_dropped_while_another_saves_the_same_tensor(self):
        self.both(
            """
            import threading
            model = nn.Sequential(*(nn.Sequential(nn.Linear(256, 256), nn.Tanh()) for _ in range(3)))
            model(torch.randn(4, 256)).sum().backward()
            for _ in range(3):
                x = torch.randn(1024, 256)
                held = [model(x)]
                dropping = threading.Thread(target=held.clear)
                dropping.start()
                time.sleep(0.03)  # in which it waits for a copy
                out = model(x)
                dropping.join()
                del x
                other = model(torch.randn(1024, 256))
                time.sleep(1.5)
                model(torch.randn(4, 256))  # what has arrived is let go of
                out.sum().backward()
                print(digest(*(weight.grad for weight in model.parameters())))
                other.sum().backward()
                print(digest(*(weight.grad for weight in model.parameters())))
                model.zero_grad()
            """,
            "--link", "10MB/s,10us",
        )  # fmt: skip

    def test_a_child_that_is_forked_while_its_tensor_is_copied_back(self):
        self.both(
            """
            import os
            class Fork(torch.autograd.Function):
                pid = None
                @staticmethod
                def forward(ctx, x):
                    return x * 1
                @staticmethod
                def backward(ctx, gradient):
                    sys.stdout.flush()
                    Fork.pid = os.fork()
                    return gradient
            layers = [nn.Sequential(nn.Linear(512, 512), nn.Tanh()) for _ in range(6)]
            model = nn.Sequential(*layers[:4], Layer(Fork.apply), *layers[4:])
            out = model(torch.randn(512, 512))
            time.sleep(2)
            out.sum().backward()
            found = digest(*(weight.grad for weight in model.parameters()))
            if Fork.pid == 0:
                print("child", found, flush=True)
                os._exit(0)
            os.waitpid(Fork.pid, 0)
            print("parent", found)
            assert swapped() != 0
            """,
            "--link", "5MB/s,10us",
        )  # fmt: skip

    def test_a_request_that_cannot_be_served_ends_although_a_storage_was_resized(self):
        for smaller in (0, 1024):
            for mode in ("on", "all"):
                with self.subTest(smaller=smaller, mode=mode):
                    path = self.script("")
                    with open(path, "w") as file:
                        file.write(self.HEAD + "\n".join(line[12:] for line in KEEP.splitlines()) + "\n" + "\n".join((
                            "y = torch.randn(2048, 2048)",
                            "out = Layers(lambda x: Keep.apply(x, y))(x)",
                            "y.storage().resize_(%d)" % smaller,
                            "try:",
                            "    held = [torch.empty(8 << 20) for _ in range(64)]",
                            "except RuntimeError as error:",
                            "    print('out of memory' in str(error))",
                        )))  # fmt: skip
                    done = self.run_under([path], ("--capacity", "256MiB", "--swap", mode), LACUNA_SWAP_SMALLEST="4096")
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "True\n", ""))

    @nightly("by day its single ends")
    def test_what_is_over_is_forgotten_and_what_came_too_late_is_given_back(self):
        self.both(
            """
            import threading
            model = nn.Sequential(*(nn.Sequential(nn.Linear(512, 512), nn.Tanh()) for _ in range(6)))
            for rows in range(600, 650):  # some 350 entries
                model(torch.randn(rows, 512)).sum().backward()
            out = model(torch.randn(512, 512))
            time.sleep(0.3)
            if swapped() is not None:
                import lacuna
                manager = sys.modules["_lacuna_swap"].of_process()._manager
                assert max(len(manager._by_cookie), len(manager._by_identity)) < 300, len(manager._by_cookie)
                model(torch.randn(4, 512))  # what has arrived is let go of
                made = type(manager).new_storage
                def late(self, size, device):
                    storage = made(self, size, device)
                    time.sleep(0.05 if threading.current_thread().name == "late" else 0)
                    return storage
                type(manager).new_storage = late
                away = [entry for entry in manager.entries() if entry.storage is None and not entry.is_held()]
                before = lacuna.memory_allocated("cpu")
                for entry in away:
                    threads = [threading.Thread(target=entry.bring_back, name=name) for name in ("late", "early")]
                    threads[0].start()
                    time.sleep(0.01)
                    threads[1].start()
                    [thread.join() for thread in threads]
                more = lacuna.memory_allocated("cpu") - before
                assert away and more == sum(entry.bytes for entry in away), (len(away), more)
                del entry, away
            out.sum().backward()
            print(digest(*(weight.grad for weight in model.parameters())))
            """
        )

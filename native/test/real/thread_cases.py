"""Swapping beside several training threads, and around custom functions that save views."""

import watcher
from case import LIMIT_SECONDS, Case, nightly
from swap_cases import Compared

TRAINING = """
            import threading
            models = [nn.Sequential(*[nn.Sequential(nn.Linear(128, 128), nn.Tanh(), nn.LayerNorm(128)) for _ in range(4)]) for _ in range(4)]
            failed = []
            def train(number):
                optimizer, random = torch.optim.SGD(models[number].parameters(), 1e-2), torch.Generator().manual_seed(number)
                try:
                    for _ in range(50):
                        loss = models[number](torch.randn(256, 128, generator=random)).pow(2).mean()
                        optimizer.zero_grad()
                        loss.backward()
                        optimizer.step()
                except BaseException as error:
                    failed.append(repr(error))
            threads = [threading.Thread(target=train, args=(number,)) for number in range(4)]
            [thread.start() for thread in threads]
            [thread.join() for thread in threads]
            print(failed, digest(*(weight for model in models for weight in model.parameters())))
"""


class Threads(Compared):
    @nightly("by day threads share a manager, a tensor and a model")
    def test_models_that_train_in_threads_of_their_own_keep_their_bits(self):
        swapped = TRAINING + "            assert swapped() != 0\n"
        hasty = "            sys.setswitchinterval(1e-6)\n"
        self.both(swapped)
        self.both(hasty + swapped)
        self.both(hasty + TRAINING, mode="on")

    def test_threads_whose_first_forwards_begin_together_share_one_manager(self):
        self.both(
            """
            import gc, threading
            made = []
            if "_lacuna_swap" in sys.modules:
                import _lacuna_swap.process as process
                for kind in (process.Swap, process.Manager):
                    def slowly(self, *arguments, begin=kind.__init__):
                        made.append(type(self).__name__)
                        time.sleep(0.05)
                        begin(self, *arguments)
                    kind.__init__ = slowly
                marker = sys.modules["_lacuna_swap"].marker
                def together(module, begin=marker.begin_forward):
                    time.sleep(0.05)  # in which none is known to be inside
                    begin(module)
                marker.begin_forward = together
            first = torch.ones(256, 256)
            models, found = [nn.Sequential(*(nn.Linear(256, 256) for _ in range(4))) for _ in range(3)], {}
            def train(number):
                models[number](first).sum().backward()
                found[number] = digest(*(weight.grad for weight in models[number].parameters()))
            threads = [threading.Thread(target=train, args=(number,)) for number in range(3)]
            [thread.start() for thread in threads]
            [thread.join() for thread in threads]
            print(sorted(found.items()))
            assert made.count("Manager") == (1 if made else 0), made
            """
        )

    def test_one_thread_lets_go_while_another_is_given_the_tensor(self):
        self.both(
            """
            import gc, threading
            def in_the_middle_of(name, other):
                native = sys.modules["_lacuna_swap.engine"].Native
                told = getattr(native, name)
                def slowly(self, *arguments):
                    answer = told(self, *arguments)
                    setattr(native, name, told)
                    threads.append(threading.Thread(target=other))
                    threads[-1].start()
                    time.sleep(0.1)
                    return answer
                setattr(native, name, slowly)
            model, threads = nn.Sequential(*(nn.Sequential(nn.Linear(256, 256), nn.Tanh()) for _ in range(6))), []
            model(torch.randn(4, 256)).sum().backward()
            out = model(torch.randn(256, 256))
            time.sleep(0.2)
            if swapped() is not None:
                manager = sys.modules["_lacuna_swap"].of_process()._manager
                arrived = [entry for entry in manager.entries() if entry.away and entry.storage is not None]
                assert arrived
                kept = {entry: [reference() for reference in entry.saved] for entry in manager.entries()}
                for entry in arrived:
                    in_the_middle_of("let_go", lambda: [manager.unpack(saved) for saved in kept[entry]])
                    entry.let_go()
                def send_away(entry):
                    entry.send()
                    time.sleep(0.05)
                    entry.let_go()
                [thread.join() for thread in threads]
                for entry in arrived:
                    send_away(entry)
                    if entry.storage is None and not entry.is_held():
                        in_the_middle_of("wait", lambda: send_away(entry))
                        manager.unpack(kept[entry][0])
                [thread.join() for thread in threads]
                assert len(threads) > len(arrived), threads
                del kept, entry
            out.sum().backward()
            print(digest(*(weight.grad for weight in model.parameters())))
            """,
            "--link", "1GB/s,20ms",  # so that what leaves last has not arrived when the forward ends
        )  # fmt: skip

    def test_threads_that_want_one_tensor_at_the_same_time_get_one_block(self):
        self.both(
            """
            import threading
            def slow_down():
                native = sys.modules["_lacuna_swap.engine"].Native
                bring = native.bring
                def slowly(self, ticket, address, stream):
                    begun = bring(self, ticket, address, stream)
                    time.sleep(0.005)  # whoever asks meanwhile finds a copy that nobody has said to have begun
                    return begun
                native.bring = slowly
                manager = sys.modules["_lacuna_swap.manager"].Manager
                made = manager.new_storage
                def late(self, size, device):
                    storage = made(self, size, device)
                    time.sleep(0.002)  # in which others want one too
                    return storage
                manager.new_storage = late
            model = nn.Sequential(*(nn.Sequential(nn.Linear(256, 256), nn.Tanh()) for _ in range(6)))
            model(torch.randn(4, 256)).sum().backward()
            if swapped() is not None:
                slow_down()
            out = model(torch.randn(256, 256))
            time.sleep(0.2)
            if swapped() is not None:
                manager = sys.modules["_lacuna_swap"].of_process()._manager
                for stored in [entry for entry in manager.entries() if entry.storage is None and not entry.is_held()]:
                    got = []
                    threads = [threading.Thread(target=lambda: got.append(stored.bring_back().data_ptr())) for _ in range(3)]
                    [thread.start() for thread in threads]
                    [thread.join() for thread in threads]
                    assert len(got) == 3 and len(set(got)) == 1, got
            out.sum().backward()
            print(digest(*(weight.grad for weight in model.parameters())))
            assert swapped() != 0
            """
        )

    def test_threads_that_call_one_model(self):
        self.both(
            """
            import threading
            model = nn.Sequential(*(nn.Sequential(nn.Linear(128, 128), nn.Tanh()) for _ in range(4)))
            weights, found = list(model.parameters()), {}
            def look(number):
                random = torch.Generator().manual_seed(number)
                for step in range(20):
                    loss = model(torch.randn(128, 128, generator=random)).pow(2).sum()
                    found[number, step] = digest(*torch.autograd.grad(loss, weights))
            threads = [threading.Thread(target=look, args=(number,)) for number in range(3)]
            [thread.start() for thread in threads]
            [thread.join() for thread in threads]
            print(sorted(found.items()))
            """
        )


FUNCTIONS = """
            class Flat(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x, w):
                    flat = x.view(-1, x.shape[-1])
                    ctx.save_for_backward(flat, w)
                    ctx.shape = x.shape
                    return (flat @ w).view(x.shape)
                @staticmethod
                def backward(ctx, gradient):
                    flat, w = ctx.saved_tensors
                    gradient = gradient.reshape(-1, gradient.shape[-1])
                    return (gradient @ w.t()).view(ctx.shape), flat.t() @ gradient
            class Half(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x):
                    result = x.sigmoid()
                    ctx.save_for_backward(result[:, : N // 2])
                    return result
                @staticmethod
                def backward(ctx, gradient):
                    (half,) = ctx.saved_tensors
                    return gradient * half.repeat(1, 2)
            class Refusing(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x):
                    ctx.save_for_backward(x.view(-1))
                    raise ValueError("not today")
            class Square(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x):
                    ctx.save_for_backward(x)
                    return x * x
                @staticmethod
                def backward(ctx, gradient):
                    return 2 * ctx.saved_tensors[0] * gradient
            flat, half, refusing, square = Flat.apply, Half.apply, Refusing.apply, Square.apply
            w = torch.randn(N, N, requires_grad=True)
"""


class Functions(Compared):
    def test_views_that_custom_functions_make_and_save(self):
        self.both(
            FUNCTIONS + """
            def refused(x):
                try:
                    return refusing(x)
                except ValueError:
                    return x * 1
            for _ in range(2):
                y = Layers(lambda x: x * 1.5, lambda x: flat(x, w), half, refused, lambda x: Flat.apply(x, w), torch.sigmoid, lambda x: x * 1)(x)
                print(outcome(y), digest(w.grad))
                x.grad = w.grad = None
            assert swapped() != 0
            """
        )

    def test_functions_that_save_no_views_are_swapped_and_adapt_keeps_clear_of_views(self):
        self.both(
            FUNCTIONS + """
            try:
                from lacuna import adapt
            except ImportError:
                def adapt(function, *arguments):
                    return getattr(function, "apply", function)(*arguments)
            y = Layers(lambda x: x + 1, lambda x: adapt(Flat, x, w), lambda x: adapt(half, x), lambda x: x + 1)(x)
            print(outcome(y), digest(w.grad))
            for _ in range(8):  # on a busy machine backward may want one before it was copied
                before = swapped()
                x.grad = None
                y = Layers(lambda x: x + 1, square, lambda x: x + 1, lambda x: adapt(Square, x), lambda x: x + 1, lambda x: x + 1)(x)
                told = outcome(y)
                if before is None or swapped() - before >= 2 * 4 * N * N:
                    break
            else:
                raise AssertionError((before, swapped()))
            print(told)
            """
        )

    def test_the_scripts_hooks_see_what_functions_save(self):
        self.both(
            FUNCTIONS + """
            seen = []
            def pack(tensor):
                seen.append((tuple(tensor.shape), tensor.sum().item()))
                return tensor.clone()
            def inside(x):
                with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
                    return square(square(x))
            class Hooked(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x):
                    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
                        ctx.save_for_backward(x.view(-1))
                        with torch.enable_grad():
                            ctx.inner = x.detach().requires_grad_()
                            ctx.outer = half(square(ctx.inner))
                    return ctx.outer.detach()
                @staticmethod
                def backward(ctx, gradient):
                    assert ctx.saved_tensors[0].shape == (N * N,)
                    return torch.autograd.grad(ctx.outer, ctx.inner, gradient)
            def looked(x):
                try:
                    return Hooked.apply(x)
                except RuntimeError as error:
                    return x * 2
            print(outcome(Layers(torch.sigmoid, inside, lambda x: x * 1, torch.sigmoid, lambda x: x * 1)(x)))
            print(seen, len(seen))
            assert swapped() != 0
            """
        )

    def test_measuring_leaves_such_functions_alone(self):
        path = self.script("")
        with open(path, "w") as file:
            file.write(self.HEAD + "\n".join(line[12:] for line in FUNCTIONS.splitlines()) + "\n" + "\n".join((
                "model = Layers(lambda x: x * 1, lambda x: flat(x, w), half, lambda x: x * 1)",
                "for step in range(12):",
                "    x.grad = w.grad = None",
                "    print(outcome(model(x)), digest(w.grad), flush=True)",
                "    input()",
            )))  # fmt: skip
        process = self.start_under([path], ("--capacity", "1GiB"))
        first = process.stdout.readline()
        (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"))
        control = watcher.Control(socket)
        self.assertIn(" measuring=yes ", control.ask("profile"))
        control.close()
        out, err = process.communicate("\n" * 12, timeout=LIMIT_SECONDS)
        self.assertEqual((process.returncode, out, err), (0, first * 11, ""))


class Settings(Case):
    def test_settings_that_cannot_be_read_are_named_once_with_what_is_taken(self):
        script = self.script("import torch\nfor _ in range(2): torch.nn.Linear(4, 4)(torch.ones(4)).sum().backward()")
        wrong = {"LACUNA_SWAP": "al", "LACUNA_SWAP_BUDGET": "lots", "LACUNA_LINK": "fast", "LACUNA_SWAP_SMALLEST": "tiny"}
        done = self.run_under([script], **wrong)
        lines = done.stderr.splitlines()
        self.assertEqual((done.returncode, len(lines)), (0, len(wrong)), done.stderr)
        for name, value in wrong.items():
            said = [line for line in lines if line.startswith("lacuna: %s=%s is not " % (name, value))]
            self.assertEqual(len(said), 1, done.stderr)
            self.assertIn("; taking ", said[0])

    def test_a_link_may_take_a_second(self):
        done = self.run_under([self.script("print(1)")], ("--link", "1KB/s,1s"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.run_under([self.script("")], ("--link", "1KB/s,1.1s")).returncode, 2)

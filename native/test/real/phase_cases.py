"""The marks of set-up, forwards and steps."""

import os
import textwrap

import watcher
from case import Case, nightly


class Phases(Case):
    PREAMBLE = """
        import os, sys, torch
        from torch import nn
        model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Sequential(nn.Linear(8, 8)))
        first, second = (torch.optim.Adam(model.parameters()) for _ in range(2))
        def loss():
            return model(torch.ones(4, 8)).sum()
        """

    def marks(self, body, **extra):
        """The marks that a script leaves; it ends by killing itself, so that the black box stays."""
        path = self.script(textwrap.dedent(self.PREAMBLE) + textwrap.dedent(body) + "\nos.kill(os.getpid(), 9)\n")
        done = self.run_under([path], **extra)
        self.assertEqual(done.returncode, -9, done.stderr)
        self.said = done.stderr
        marks = list(self.telemetry().phases())
        os.remove(watcher.files(self.directory, ".mem")[0])
        return marks

    def test_setup_forwards_and_steps(self):
        marks = self.marks(
            """
            with torch.no_grad():
                loss()
            for _ in range(3):
                for _ in range(2):
                    loss().backward()
                first.step()
                model.eval()
                with torch.no_grad():
                    loss()
            """
        )
        forward = ["+forward", "-forward"]
        self.assertEqual(
            marks,
            ["+setup", "-setup", "+step", *forward * 2, "+setup", "-setup", "-step", "step 1", "+step"]
            + [*forward * 2, "-step", "step 2", "+step", *forward * 2, "-step", "step 3", "+step"],
        )
        self.assertEqual(self.said, "")

    def test_the_first_optimizer_marks_and_each_sets_up_once(self):
        marks = self.marks(
            """
            from torch.optim.lr_scheduler import LambdaLR
            schedule = LambdaLR(second, lambda epoch: 0.9)
            loss().backward()
            for _ in range(2):
                second.step()
                schedule.step()
                first.step()
            """
        )
        self.assertEqual(
            marks,
            ["+setup", "-setup", "+step", "+forward", "-forward", "+setup", "-setup", "-step", "step 1", "+step"]
            + ["+setup", "-setup", "-step", "step 2", "+step"],
        )
        self.assertEqual(self.said, "")

    def test_a_failing_step_or_forward_closes_what_it_opened(self):
        marks = self.marks(
            """
            class Broken(torch.optim.SGD):
                def step(self, closure=None):
                    super().step()
                    raise ArithmeticError
            broken = Broken(model.parameters(), 0.1)
            try:
                model(torch.ones(3))
            except RuntimeError:
                pass
            for _ in range(2):
                try:
                    broken.step()
                except ArithmeticError:
                    pass
            """
        )
        self.assertEqual(marks, ["+setup", "-setup", "+step", "+forward", "-forward"] + ["+setup", "-setup"] * 2)
        self.assertEqual(self.said, "")

    def test_interrupts_at_any_moment_leave_no_phase_open(self):
        marks = self.marks(
            """
            import random, signal
            chance, caught = random.Random(3), 0
            def interrupt(*arguments):  # as Ctrl-C, and as a time-out of the script's own
                raise chance.choice((KeyboardInterrupt, TimeoutError))
            signal.signal(signal.SIGALRM, interrupt)
            for _ in range(2000):
                try:
                    signal.setitimer(signal.ITIMER_REAL, chance.uniform(1e-6, 8e-4))
                    for _ in range(1000):  # ends only where Python dropped the interrupt, as in a finalizer
                        loss()
                        first.step()
                        second.step()
                except (KeyboardInterrupt, TimeoutError):
                    caught += 1
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            assert caught > 1900, caught
            torch.set_grad_enabled(True)  # an interrupt inside no_grad can leave it off
            for _ in range(3):
                loss()
                second.step()
                first.step()
            """
        )
        self.assertNotIn("no longer marked", self.said)
        opened = set()
        for mark in marks[-200:]:
            if mark[0] in "+-":
                (opened.add if mark[0] == "+" else opened.discard)(mark[1:])
        self.assertEqual(opened, {"step"})
        last = int(marks[-2].split()[1])
        around = ["+forward", "-forward", "-step"]
        self.assertEqual(
            marks[-10:], [*around, "step %d" % (last - 1), "+step", *around, "step %d" % last, "+step"]
        )

    def interrupted_at(self, mark, moment):
        """Marks of training that is interrupted once just before or after the agent is told."""
        return self.marks(
            """
            marker = next(cell.cell_contents for cell in type(first).step.__wrapped__.__closure__
                          if type(cell.cell_contents).__name__ == "_Marker")
            tell, awaited, when = marker._tell, (%d, %d), %r
            def interrupted(*told):
                global awaited
                if told != awaited:
                    return tell(*told)
                awaited = None
                if when == "after":
                    tell(*told)
                raise KeyboardInterrupt
            loss()
            first.step()
            marker._tell = interrupted
            for optimizer in (first, second, first, first):
                try:
                    loss()
                    optimizer.step()
                except KeyboardInterrupt:
                    sys.stderr.write("interrupted")
            """
            % (*mark, moment)
        )

    @nightly("by day interrupts come at any moment")
    def test_an_interrupt_beside_each_mark_is_made_good(self):
        for phase in range(3):
            for begin in (0, 1):
                for moment in ("before", "after"):
                    with self.subTest(phase=phase, begin=begin, moment=moment):
                        marks = self.interrupted_at((phase, begin), moment)
                        self.assertEqual(self.said, "interrupted")
                        done = marks[-2]
                        self.assertRegex(done, "step [345]")
                        self.assertEqual(marks[-5:], ["+forward", "-forward", "-step", done, "+step"])
                        self.assertEqual(marks.count("+setup"), marks.count("-setup"))

    def test_tracers_that_restore_calls_do_not_end_the_marks(self):
        marks = self.marks(
            """
            import torch.fx
            torch.fx.symbolic_trace(model)
            first.step()
            loss()
            calls = []
            original = nn.Module.__call__
            def counted(module, *arguments):
                calls.append(module)
                return original(module, *arguments)
            nn.Module.__call__ = counted
            first.step()
            loss()
            nn.Module.__call__ = original
            first.step()
            loss()
            sys.stderr.write("%d calls, %s" % (len(calls), nn.Module.__call__ is original))
            """
        )
        self.assertEqual(self.said, "5 calls, True")
        self.assertEqual(marks.count("+forward"), 3)

    def test_workers_that_load_data_are_not_in_setup(self):
        script = self.script(
            """
            import os, torch
            from torch.utils.data import DataLoader
            class Killed(torch.utils.data.Dataset):
                def __len__(self): return 2
                def __getitem__(self, index):
                    kept = torch.ones(5)
                    os.kill(os.getpid(), 9)
            def main():
                try:
                    list(DataLoader(Killed(), num_workers=1, multiprocessing_context=os.environ["METHOD"]))
                except RuntimeError:
                    print("killed")
            if __name__ == "__main__":
                main()
            """
        )
        for method in ("fork", "spawn"):
            done = self.run_under([script], METHOD=method)
            self.assertEqual(done.stdout, "killed\n", done.stderr)
            self.assertEqual(self.telemetry().device("phases"), 0, method)
            os.remove(watcher.files(self.directory, ".mem")[0])

    def test_a_fault_in_the_marks_is_said_once_and_training_goes_on(self):
        marks = self.marks(
            """
            marker = next(cell.cell_contents for cell in type(first).step.__wrapped__.__closure__
                          if type(cell.cell_contents).__name__ == "_Marker")
            def fault(*arguments):
                raise OSError("broken")
            marker._tell = fault
            for _ in range(3):
                loss().backward()
                first.step()
            """
        )
        self.assertEqual(marks, ["+setup"])
        self.assertEqual(self.said, "lacuna: phases are no longer marked: OSError('broken')\n")

    def test_tracebacks_show_no_frame_of_ours_for_inner_modules(self):
        script = self.script(textwrap.dedent(self.PREAMBLE) + "\nmodel(torch.ones(3))\n")
        done = self.run_under([script])
        self.assertEqual(done.returncode, 1)
        self.assertLessEqual(done.stderr.count("phases.py"), 1)

    def named(self, script):
        """{name: bits of its word} of what the script prints from its own control socket."""
        asking = """
            import glob, os, socket
            def phases():
                path, = glob.glob(os.path.join(os.environ["LACUNA_DIR"], "*-%d-*.sock" % os.getpid()))
                control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                control.connect(path)
                control.sendall(b"phases\\n")
                for word in control.makefile().readline().split():
                    if word.startswith("phase."):
                        print(word.partition("=")[2])
            """
        done = self.run_under([self.script(textwrap.dedent(asking) + textwrap.dedent(script))])
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split(":") for line in done.stdout.splitlines()]
        return {row[0]: (row[1], *map(int, row[2:])) for row in rows}

    def test_named_phases_have_their_time_and_peaks(self):
        found = self.named(
            """
            import lacuna, torch
            model = torch.nn.Linear(1000, 1000)
            optimizer = torch.optim.Adam(model.parameters())
            with lacuna.phase("roll out"):
                torch.ones(8 << 20).sum()
            for _ in range(3):
                loss = model(torch.ones(4, 1000)).sum()
                loss.backward()
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
            try:
                with lacuna.phase("broken"):
                    raise OSError
            except OSError:
                pass
            with lacuna.phase("open"):
                phases()
            """
        )
        self.assertEqual(set(found), {"roll%20out", "forward", "backward", "optimizer", "broken", "open"})
        self.assertEqual({name for name, row in found.items() if row[0] == "open"}, {"open"})
        self.assertGreaterEqual(found["roll%20out"][2], 32 << 20)
        self.assertLess(found["forward"][2], 32 << 20)
        self.assertGreaterEqual(found["optimizer"][2], 4 * 4000000)  # parameters, gradients, two states
        self.assertGreaterEqual(found["backward"][2], 2 * 4000000)
        self.assertTrue(all(row[1] > 0 and row[3] >= row[2] for row in found.values()))

    def test_a_known_trainer_s_checkpoints_and_evaluations_are_named(self):
        os.makedirs(os.path.join(self.directory, "transformers"))
        for name, text in (("__init__", ""), ("trainer", "class Trainer:\n    def evaluate(self, x=1):\n        return x\n")):
            with open(os.path.join(self.directory, "transformers", name + ".py"), "w") as file:
                file.write(text)
        found = self.named(
            """
            import io, torch
            from transformers.trainer import Trainer
            kept = torch.ones(1)
            assert Trainer().evaluate(x=5) == 5
            torch.save(kept, io.BytesIO())
            phases()
            """
        )
        self.assertEqual(set(found), {"evaluation", "checkpoint"})

"""Training under the agent gives the same numbers as without it, also in children and while it is controlled."""

import json
import os

import watcher
from case import CHILDREN, LIMIT_SECONDS, WORKLOADS, Case


class TrainingIsBitIdentical(Case):
    def compare(self, model, steps, threads=1, switches=("on", "off"), arguments=()):
        words = [WORKLOADS, model, str(steps), *arguments]
        wanted = self.result(self.run_plain(words, threads))
        self.assertEqual(len(set(wanted["losses"])), steps)
        for switch in switches:
            done = self.run_under(words, ("--optimisation", switch), threads)
            self.assertEqual(self.result(done), wanted, switch)
            self.assertEqual(done.stderr, "")
        self.assertNothingLeft()

    def test_gpt_of_varying_length(self):
        self.compare("gpt", 12)

    def test_gpt_with_two_threads(self):
        self.compare("gpt", 8, threads=2, switches=("on",))

    def test_cnn(self):
        self.compare("cnn", 12)

    def test_scaler_and_schedule(self):
        self.compare("cnn", 6, switches=("on",), arguments=("--scaled",))


class WhatLives(Case):
    def test_an_output_goes_though_frames_are_kept(self):
        """As checkpoints keep them, in a cycle."""
        path = self.script("""
            import gc, json, sys, weakref, torch
            gc.disable()
            frames = []

            class Model(torch.nn.Module):
                def forward(self, x):
                    frames.append(sys._getframe())
                    return x * 2

            output = Model()(torch.ones(1000, requires_grad=True))
            seen = weakref.ref(output)
            del output
            print(json.dumps({"lives": seen() is not None}))
        """)
        self.assertEqual(self.result(self.run_under([path])), self.result(self.run_plain([path])))


class Children(Case):
    def test_loaders_queues_and_forks_give_the_same_tensors_and_leave_nothing(self):
        wanted = self.result(self.run_plain([CHILDREN]))
        done = self.run_under([CHILDREN])
        self.assertEqual(self.result(done), wanted)
        self.assertEqual(done.stderr, "")
        self.assertEqual(wanted["bare"], [0, 49995000.0])
        watcher.wait_for(lambda: not watcher.files(self.directory, ".mem"))
        self.assertNothingLeft()


class LiveControl(Case):
    def test_fifty_changes_during_training_leave_the_numbers_alone(self):
        steps = 50
        words = [WORKLOADS, "gpt", str(steps)]
        wanted = self.result(self.run_plain(words))
        process = self.start_under([*words, "--hold"])
        for step in range(steps):
            self.assertEqual(process.stdout.readline(), "step %d\n" % step)
            if step == 0:
                (socket,) = watcher.wait_for(lambda: watcher.files(self.directory, ".sock"))
                control = watcher.Control(socket)
                self.assertTrue(control.ask("hello").startswith("ok pid=%d layout=3 " % process.pid))
            self.change(control, step)
            process.stdin.write("\n")
            process.stdin.flush()
        control.close()
        out, err = process.communicate(timeout=LIMIT_SECONDS)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(json.loads(out), wanted)
        self.assertNothingLeft()
        with open(os.path.join(self.directory, "audit.log")) as audit:
            self.assertEqual(len(audit.readlines()), steps)

    def change(self, control, step):
        switch, fraction = ("off", "on")[step % 2], (0.9, 0.5, 0.94, 1.0)[step % 4]
        reply = control.ask("set optimisation=%s fraction=%s by=test" % (switch, fraction))
        holds = watcher.values(reply)
        self.assertTrue(reply.startswith("ok optimisation=%s fraction=%g " % (switch, fraction)), reply)
        self.assertEqual(holds["limit_bytes"], int(fraction * (8 << 30)))
        now = watcher.values(control.ask("get"))
        self.assertEqual((now["optimisation"], now["limit_bytes"]), (switch, holds["limit_bytes"]))
        self.assertEqual(now["step"], step)

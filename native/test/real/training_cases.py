"""Training under the agent gives the same numbers as without it, also in children and while it is controlled."""

import json
import os

import watcher
from case import CHILDREN, LIMIT_SECONDS, NIGHTLY, WORKLOADS, Case, nightly


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

    @nightly("by day with one")
    def test_gpt_with_two_threads(self):
        self.compare("gpt", 8, threads=2, switches=("on",))

    def test_cnn(self):
        self.compare("cnn", 12)

    def test_by_mindspeeds_rules(self):
        for model in ("gpt", "cnn"):
            words = [WORKLOADS, model, "8"]
            done = self.run_under(words, ("--policy", "lifetime"))
            self.assertEqual(self.result(done), self.result(self.run_plain(words)))
            self.assertEqual(done.stderr, "")
        self.assertNothingLeft()

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
    @nightly("by day the battery has loaders")
    def test_loaders_queues_and_forks_give_the_same_tensors_and_leave_nothing(self):
        wanted = self.result(self.run_plain([CHILDREN]))
        done = self.run_under([CHILDREN])
        self.assertEqual(self.result(done), wanted)
        self.assertEqual(done.stderr, "")
        self.assertEqual(wanted["bare"], [0, 49995000.0])
        watcher.wait_for(lambda: not watcher.files(self.directory, ".mem"))
        self.assertNothingLeft()


# Trains while another thread switches the optimisation, and whose rules it keeps to, as fast as it goes, at least so often; under no agent it trains alone.
SWITCHED = """
    import ctypes, gc, json, os, sys, threading, torch
    AT_LEAST = int(sys.argv[1])
    done, ended = [0], threading.Event()

    def switch(library):
        library.lacuna_process_agent.restype = ctypes.c_void_p
        agent = ctypes.c_void_p(library.lacuna_process_agent())
        while done[0] < AT_LEAST or not ended.is_set():
            assert library.lacuna_set_optimisation(agent, done[0] % 2, None) == 0
            assert library.lacuna_set_policy(agent, done[0] // 2 % 2, None) == 0
            done[0] += 1

    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = torch.nn.Sequential(*[torch.nn.Linear(256, 256) for _ in range(6)])
    optimizer = torch.optim.Adam(model.parameters())
    path, losses, n = os.environ.get("LACUNA_LIBRARY"), [], 0
    thread = threading.Thread(target=switch, args=(ctypes.CDLL(path),)) if path else None
    if thread:
        thread.start()
    while n < 200 or (thread and done[0] < AT_LEAST):
        optimizer.zero_grad()
        loss = model(torch.randn(16 + 8 * (n % 5), 256)).pow(2).mean()
        loss.backward()
        optimizer.step()
        if n < 200:
            losses.append(loss.item())
        n += 1
    ended.set()
    if thread:
        thread.join()
    print(json.dumps({"losses": losses, "switches": done[0]}))
"""


class LiveControl(Case):
    def test_switches_without_a_pause_leave_the_numbers_alone(self):
        path, least = self.script(SWITCHED), 10000 if NIGHTLY else 300
        wanted = self.result(self.run_plain([path, "0"]))
        done = self.run_under([path, str(least)])
        told = self.result(done)
        self.assertEqual((told["losses"], done.stderr), (wanted["losses"], ""))
        self.assertGreaterEqual(told["switches"], least)
        self.assertNothingLeft()

    @nightly("by day it is switched without a pause")
    def test_changes_during_training_leave_the_numbers_alone(self):
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

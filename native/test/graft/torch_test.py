"""Attaches to real PyTorch: the one of TARGET_PYTHON, and where TARGET_LIBRARIES names stand-ins for CUDA's libraries, on
those. Started by run.sh."""

import glob
import os
import pickle
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import guest  # noqa: E402
from guest import BUILD, NATIVE, PYTHON, Case, Connection, Target, until  # noqa: E402

guest.PATIENCE_S = 240  # importing PyTorch and training take a while where much else runs

LIBRARIES = os.environ.get("TARGET_LIBRARIES")
on_cuda = unittest.skipUnless(LIBRARIES, "needs PyTorch for CUDA, and stand-ins for its libraries")


class Training(Case):
    def train(self, *words, **extra):
        if LIBRARIES:
            extra.update(LD_LIBRARY_PATH=LIBRARIES, STANDIN_DEVICES="1", STANDIN_BYTES=str(1 << 30))
        return Target(self, words[0], script="trainer.py", words=words[1:], PYTHONPATH="", **extra)

    def test_it_computes_the_same_bits_while_somebody_comes_and_goes(self):
        alone = self.train("400").finish()
        visited = self.train("400")
        while visited.process.poll() is None:
            try:
                visited.detach(visited.attach())
            except (AssertionError, OSError):
                # While Python ends, the socket closes under who came last; the training has printed its sum by then.
                if not select.select([visited.process.stdout], [], [], 0)[0]:
                    raise
        self.assertIn("done 0x", alone)
        self.assertEqual(visited.process.stdout.read(), alone)

    def test_its_steps_and_memory_are_seen(self):
        t = self.train("until-closed")
        c = t.attach()
        hello = until(lambda: c.ask("hello") if c.ask("hello")["devices"] == "1" else None, "the device is found")
        self.assertEqual(hello["device"], "cuda" if LIBRARIES else "host")
        self.assertTrue(hello["framework"].startswith("torch-"))
        until(lambda: int(c.ask("get").get("step", 0)) >= 3, "steps are seen")
        got = c.ask("get")
        self.assertGreater(int(got["allocated_bytes"]), 0)
        until(lambda: t.telemetry().record()["step"] >= 3, "they are published")
        t.detach(c)
        self.assertIn("done", t.finish())

    @unittest.skipIf(LIBRARIES, "for PyTorch without an accelerator")
    def test_without_an_accelerator_it_says_what_cannot_be_seen(self):
        t = self.train("until-closed")
        c = t.attach()
        until(lambda: "cannot be seen" in (c.ask("hello").get("text") or ""), "it says so")  # at first: no PyTorch yet
        path = "path=" + os.path.join(t.directory, "x")
        for line in ("set fraction=0.5", "empty-cache", "setting", "record steps=1 " + path, "arm " + path, "categories"):
            self.assertEqual(c.ask(line).get("code"), "cannot", line)
        t.detach(c)

    @on_cuda
    def test_a_recording_has_stacks_and_ends(self):
        t = self.train("until-closed")
        c = t.attach()
        path = os.path.join(t.directory, "recorded.pickle")
        until(lambda: int(c.ask("get").get("step", 0)) >= 2, "steps are seen")
        self.assertEqual(c.ask("record steps=3 path=" + path)[""], "ok")
        until(lambda: c.ask("record")["done"] == "yes", "it is done")
        with open(path, "rb") as file:
            traces = pickle.load(file)["device_traces"]
        self.assertTrue(any("trainer.py" in frame["filename"] for trace in traces for entry in trace for frame in entry.get("frames", ())))
        t.detach(c)

    @on_cuda
    def test_an_armed_out_of_memory_saves_a_snapshot_and_reaches_the_script(self):
        t = self.train("until-closed", "oom")
        c = t.attach()
        path = os.path.join(t.directory, "oom.pickle")
        until(lambda: int(c.ask("get").get("step", 0)) >= 2, "steps are seen")
        self.assertEqual(c.ask("arm path=" + path)["armed"], "yes")
        self.assertIn("out of memory: OutOfMemoryError", t.finish())
        with open(path, "rb") as file:
            self.assertIn("segments", pickle.load(file))
        length = t.telemetry().words(9228, "I")[0]  # the black box stays, and tells
        self.assertIn(b"Tried to allocate", t.telemetry().data[9232 : 9232 + length])

    @on_cuda
    def test_categories_sum_to_what_is_allocated(self):
        t = self.train("until-closed")
        c = t.attach()
        until(lambda: int(c.ask("get").get("step", 0)) >= 4, "steps are seen")
        found = c.ask("categories")
        self.assertGreaterEqual(int(found["parameters_bytes"]), 4 * (64 * 256 * 2 + 256 + 64))
        self.assertGreaterEqual(int(found["optimizer_bytes"]), 2 * int(found["parameters_bytes"]))
        t.detach(c)

    @on_cuda
    def test_an_agent_takes_its_place_and_switches_pools_in_the_training(self):
        library, package = os.path.join(BUILD, "liblacuna_torch.so"), os.path.join(NATIVE, "python", "lacuna")
        kept = tempfile.mkdtemp(prefix="lacuna-graft-front-")
        self.addCleanup(shutil.rmtree, kept, True)
        t = self.train("until-closed", LACUNA_EXTENSIONS=kept)
        c = t.attach()
        until(lambda: int(c.ask("get").get("step", 0)) >= 2, "steps are seen")
        words = "open-front library=%s package=%s by=test" % (library, package)
        refused = c.ask(words)
        self.assertEqual((refused["code"], "there is no front for PyTorch" in refused["text"]), ("cannot", True))
        self.assertEqual(c.ask("open-front library=/nowhere package=/nowhere").get("code"), "bad-request")
        t.detach(c)  # building takes longer than it waits for somebody to ask, on a busy machine
        surroundings = dict(os.environ, LACUNA_LIBRARY=library, LACUNA_EXTENSIONS=kept, PYTHONPATH=os.path.dirname(package), LD_LIBRARY_PATH=LIBRARIES)
        subprocess.run([PYTHON, "-m", "lacuna", "build-front"], env=surroundings, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        c = t.attach()
        until(lambda: int(c.ask("get").get("step", 0)) >= 2, "steps are seen")
        self.assertEqual(c.ask(words)[""], "ok")
        c.close()
        agent = until(lambda: self.agent_of(t), "an agent answers")
        self.assertEqual(agent.ask("get")["optimisation"], "off")
        self.assertEqual(agent.ask("set optimisation=on")[""], "ok")
        self.assertEqual(agent.ask("compact pace=at-once")[""], "ok")
        until(lambda: agent.ask("compaction")["state"] == "done", "it is compacted")
        self.assertGreater(int(agent.ask("compaction")["moved"]), 4)
        self.assertEqual(agent.ask("set optimisation=off force=yes")[""], "ok")
        self.leave(t, agent)
        c = t.attach()  # as if nobody had been there
        until(lambda: int(c.ask("get").get("step", 0)) >= 2, "steps are seen")
        self.assertEqual(c.ask(words)[""], "ok")
        c.close()
        self.leave(t, until(lambda: self.agent_of(t), "an agent answers"))
        self.assertIn("done", t.finish())

    @unittest.skipIf(LIBRARIES, "for PyTorch without an accelerator")
    def test_an_agent_takes_its_place_on_the_host_and_leaves_again(self):
        t = self.train("until-closed")
        c = t.attach()
        until(lambda: int(c.ask("get").get("step", 0)) >= 2, "steps are seen")
        self.assertEqual(c.ask("hello")["can"], "front")
        words = "open-front library=%s package=%s by=test" % (os.path.join(BUILD, "liblacuna_torch.so"), os.path.join(NATIVE, "python", "lacuna"))
        self.assertEqual(c.ask(words)[""], "ok")
        c.close()
        agent = until(lambda: self.agent_of(t), "an agent answers")
        self.assertEqual(agent.ask("set optimisation=on")[""], "ok")
        self.assertEqual(agent.ask("compact pace=at-once")[""], "ok")
        until(lambda: agent.ask("compaction")["state"] == "done", "it is compacted")
        self.assertGreater(int(agent.ask("compaction")["moved"]), 4)
        self.leave(t, agent)
        t.detach(t.attach())
        self.assertIn("done", t.finish())

    def leave(self, target, agent):
        """An agent that took over is asked to go, and has gone with all that it brought."""
        self.assertEqual(agent.ask("retract by=test")[""], "ok")
        agent.close()
        until(lambda: not glob.glob(os.path.join(target.rendezvous, "*.[ms]*")), "its files are gone")
        for thread in glob.glob("/proc/%d/task/*/comm" % target.process.pid):
            with open(thread) as name:
                self.assertFalse(name.read().startswith("lacuna"))

    @staticmethod
    def agent_of(target):
        """A connection to an agent, which does not call itself a graft; None while there is none."""
        path = target.socket_path()
        try:
            connection = Connection(path) if path else None
            if connection is None or "door" not in connection.ask("hello"):
                return connection
            connection.close()
        except OSError:  # the one that leaves
            pass
        return None

    @on_cuda
    def test_settings_and_the_cap_are_as_they_were_after_it_has_gone(self):
        t = self.train("until-closed")
        c = t.attach()
        until(lambda: int(c.ask("get").get("steps", 0)) == 2, "whole steps are seen")
        self.assertEqual(c.ask("set fraction=0.5")["fraction"], "0.5")
        self.assertEqual(c.ask("set optimisation=on")["optimisation"], "on")  # for ten steps, if they are slow on a busy machine
        t.detach(c)
        c = t.attach()
        self.assertEqual(c.ask("setting").get("text", ""), "")
        until(lambda: c.ask("get").get("fraction") == "1", "the cap is put back")
        t.detach(c)
        self.assertIn("done", t.finish())

    @on_cuda
    def test_pytorch_itself_holds_what_was_found_after_settings_are_taken_back(self):
        surroundings = dict(os.environ, LD_LIBRARY_PATH=LIBRARIES, STANDIN_DEVICES="1", STANDIN_BYTES=str(1 << 30))
        surroundings.pop("PYTORCH_CUDA_ALLOC_CONF", None)
        said = subprocess.run(
            [PYTHON, "-W", "ignore", "-B", os.path.join(HERE, "settings_of_torch.py")], env=surroundings, stdout=subprocess.PIPE, check=True,
            universal_newlines=True,
        )  # fmt: skip
        self.assertEqual(said.stdout.splitlines(), ["[True] 'expandable_segments:True'", "[False] ''", "refused [False] ''"])

    @on_cuda
    def test_attached_before_pytorch_uses_its_device_it_waits(self):
        t = Target(self, "train_later", PYTHONPATH=os.path.join(HERE, "fake"))
        c = t.attach()
        self.assertEqual(c.ask("hello")["framework"], "none")
        time.sleep(0.1)
        t.detach(c)


if __name__ == "__main__":
    unittest.main()

"""Attaches to what people train, where the PyTorch of TARGET_PYTHON has it: Hugging Face's Trainer, torchvision, ranks, loaders. With
TARGET_LIBRARIES on stand-ins for CUDA's libraries. Started by run.sh."""

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from guest import NATIVE, PATIENCE_S, PYTHON, Case, Target, until  # noqa: E402

LIBRARIES = os.environ.get("TARGET_LIBRARIES")


def has(what):
    asked = subprocess.run([PYTHON, "-c", what], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=surroundings())
    return asked.returncode == 0


def surroundings():
    extra = {"LD_LIBRARY_PATH": LIBRARIES, "STANDIN_DEVICES": "1", "STANDIN_BYTES": str(1 << 30)} if LIBRARIES else {}
    return dict({k: v for k, v in os.environ.items() if not k.startswith(("LACUNA_", "LD_", "PYTORCH_"))}, **extra)


def rows(answer):
    """{name: (open, ns, peak allocated, peak reserved)} of a reply."""
    found = {}
    for key, word in answer.items():
        if key.startswith("phase."):
            name, is_open, *numbers = word.split(":")
            found[name] = (is_open, *map(int, numbers))
    return found


class Jobs(Case):
    def start(self, *words):
        extra = {"PYTHONPATH": os.path.join(NATIVE, "python")}
        extra.update((k, v) for k, v in surroundings().items() if k.startswith(("LD_", "STANDIN_")))
        return Target(self, words[0], script="jobs.py", words=words[1:], OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false", **extra)

    def visit(self, target, phases):
        """Attaches, waits for steps and for these phases, and detaches."""
        connection = target.attach()
        self.assertNotEqual(connection.ask("get").get("code"), "unknown-verb")
        until(lambda: int(connection.ask("get").get("step", 0)) >= 2, "steps are seen")
        until(lambda: phases <= set(rows(connection.ask("phases"))), "all of %s are seen" % sorted(phases))
        found = rows(connection.ask("phases"))
        for name in phases:
            self.assertGreater(found[name][1], 0, name)
            self.assertGreater(found[name][2], 0, name)
            self.assertGreaterEqual(found[name][3], found[name][2], name)
        target.detach(connection)
        return found

    def check(self, *words, phases=frozenset()):
        alone = self.start(*words).finish()
        self.assertIn("done", alone)
        visited = self.start(*words)
        self.visit(visited, set(phases))
        self.visit(visited, set(phases))
        self.assertEqual(visited.finish(), alone, visited.error_text())

    @unittest.skipUnless(has("import transformers, accelerate"), "needs transformers")
    def test_hugging_face_s_trainer_and_its_phases(self):
        self.check("trainer", phases={"forward", "backward", "optimizer", "evaluation", "checkpoint"})

    @unittest.skipUnless(has("import torchvision"), "needs torchvision")
    def test_torchvision_s_resnet(self):
        self.check("images", phases={"forward", "backward", "optimizer"})

    @unittest.skipUnless(has("import torch.distributed as d; assert d.is_available() and d.is_gloo_available()"), "needs gloo")
    def test_two_ranks(self):
        self.ranks("alone")
        said = self.ranks("visited", lambda both: [self.visit(each, {"forward"}) for each in both])
        self.assertEqual(said, self.ranks("again"))

    def ranks(self, name, then=lambda both: None):
        file = os.path.join(self.folder(), name)
        both = [self.start("rank", str(n), file) for n in range(2)]
        then(both)
        first = both[0].finish()
        return first, both[1].process.communicate(timeout=PATIENCE_S)[0]  # ends with the other

    def folder(self):
        import shutil
        import tempfile

        made = tempfile.mkdtemp(prefix="lacuna-graft-")
        self.addCleanup(shutil.rmtree, made, True)
        return made

    def test_loaders_that_fork(self):
        self.check("loader", "fork")

    def test_loaders_that_spawn(self):
        self.check("loader", "spawn")

    def test_loaders_of_a_fork_server(self):
        self.check("loader", "forkserver")


if __name__ == "__main__":
    unittest.main()

"""Attaches to what people train, where the PyTorch of TARGET_PYTHON has it: Hugging Face's Trainer, torchvision, ranks, loaders. With
TARGET_LIBRARIES on stand-ins for CUDA's libraries. Started by run.sh."""

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import guest  # noqa: E402
from guest import NATIVE, PYTHON, Case, Target, until  # noqa: E402

guest.PATIENCE_S = 600  # importing what these jobs use takes a while, in each worker anew

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


def last_line(text):
    """Behind what a trainer tells of itself."""
    return text.rstrip("\n").rpartition("\n")[2]


class Jobs(Case):
    def start(self, *words, **changed):
        extra = {"PYTHONPATH": os.path.join(NATIVE, "python")}
        extra.update((k, v) for k, v in surroundings().items() if k.startswith(("LD_", "STANDIN_")))
        extra.update(changed)
        return Target(self, words[0], script="jobs.py", words=words[1:], OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false", **extra)

    def visit(self, target, phases, on_device=True):
        """Attaches, waits for steps and for these phases, and detaches."""
        connection = target.attach()
        self.assertNotEqual(connection.ask("get").get("code"), "unknown-verb")
        until(lambda: int(connection.ask("get").get("step", 0)) >= 2, "steps are seen")

        def told():
            found = rows(connection.ask("phases"))
            seen = {name for name, (_, ns, allocated, _) in found.items() if ns and (allocated or not on_device)}
            return [found] if phases <= seen else None  # a job that waits for its workers may show none

        [found] = until(told, "all of %s are seen" % sorted(phases))
        for name in phases:
            self.assertGreaterEqual(found[name][3], found[name][2], name)
        target.detach(connection)
        return found

    def check(self, *words, phases=frozenset()):
        """On the device, whose stand-in does not compute; and without one, where the weights are the same to the last bit."""
        if LIBRARIES:
            visited = self.start(*words)
            self.visit(visited, set(phases))
            self.assertIn("done", last_line(visited.finish()), visited.error_text()[-2000:])
        alone = last_line(self.start(*words, CUDA_VISIBLE_DEVICES="").finish())
        self.assertIn("done 0x", alone.replace("-", ""))
        visited = self.start(*words, CUDA_VISIBLE_DEVICES="")
        self.visit(visited, set(phases))
        self.visit(visited, set(phases))
        self.assertEqual(last_line(visited.finish()), alone, visited.error_text()[-2000:])

    @unittest.skipUnless(has("import transformers, accelerate"), "needs transformers")
    def test_hugging_face_s_trainer_and_its_phases(self):
        # Its optimizer takes 1.6 % of the time: looks find it by chance, two a second after 10 to 24 s in three runs (docs/attach.md).
        self.check("trainer", phases={"forward", "backward", "evaluation", "checkpoint"})

    @unittest.skipUnless(has("import torchvision"), "needs torchvision")
    def test_torchvision_s_resnet(self):
        self.check("images", phases={"forward", "backward", "optimizer"})

    @unittest.skipUnless(has("import torch.distributed as d; assert d.is_available() and d.is_gloo_available()"), "needs gloo")
    def test_two_ranks(self):
        self.ranks("alone")
        said = self.ranks("visited", lambda both: [self.visit(each, {"forward"}, on_device=False) for each in both])
        self.assertEqual(said, self.ranks("again"))

    def ranks(self, name, then=lambda both: None):
        file = os.path.join(self.folder(), name)
        both = [self.start("rank", str(n), file) for n in range(2)]
        then(both)
        first = both[0].finish()
        return first, both[1].process.communicate(timeout=guest.PATIENCE_S)[0]  # ends with the other

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

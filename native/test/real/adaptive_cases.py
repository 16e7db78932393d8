"""``lacuna run --adaptive``: a training that does not fit is measured, told what its layers do, and ends as it would have."""

import json
import os
import sys
import tempfile

from case import NIGHTLY, Case, nightly
from run_cases import Run
from swap_cases import WORKLOADS, bits

MOST_STEPS = 300  # a search ends long before: each policy is tried, the best by turns
MODEL, LIMIT_MIB = ("gpt", 158) if NIGHTLY else ("small-gpt", 82)  # six tenths of what it reserves with memory to spare
TRAINING = [sys.executable, WORKLOADS, MODEL]


class Adaptive(Case):
    environment, lacuna_run = Run.environment, Run.lacuna_run
    limit_seconds = 600
    runs = []  # of all tests: (report, stderr), the second with what the first has kept

    def adapted(self, number):
        """The first or second start with one cache; the first trains until something is kept there, the others as many steps."""
        while len(self.runs) <= number:
            if self.runs:
                steps = [str(len(self.runs[0][0]["losses"]))]
            else:
                type(self).cache = tempfile.TemporaryDirectory(prefix="lacuna-adaptive-")
                steps = [str(MOST_STEPS), "--until", os.path.join(self.cache.name, "lacuna", "policies", "*.json")]
            done = self.lacuna_run(
                "--adaptive", "--capacity", "%dMiB" % LIMIT_MIB, "--link", "600MB/s", "--", *TRAINING, *steps,
                XDG_CACHE_HOME=self.cache.name, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
            )  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stderr)
            self.runs.append((json.loads(done.stdout.splitlines()[-1]), done.stderr))
        return self.runs[number]

    def test_it_ends_with_the_same_bits_and_without_an_out_of_memory(self):
        report, said = self.adapted(0)
        steps = str(len(report["losses"]))
        whole = self.lacuna_run("--capacity", "2GiB", "--", *TRAINING, steps, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        self.assertEqual(bits(report), bits(json.loads(whole.stdout.splitlines()[-1])))
        self.assertIn("no out-of-memory", said)
        self.assertLessEqual(report["memory"]["peak"], LIMIT_MIB << 20)

    def test_what_was_found_is_said_and_kept(self):
        _, said = self.adapted(0)
        self.assertIn("kept for the next start", said)
        (name,) = os.listdir(os.path.join(self.cache.name, "lacuna", "policies"))
        self.assertTrue(name.endswith(".json"))

    @nightly("one or two whole starts more")
    def test_the_next_start_has_it_at_once(self):
        """Where others keep the machine busy, tensors may have to be rescued all the same, and it searches again: then the one after."""
        report, said = self.adapted(1)
        if "as at the last start" not in said:
            self.assertRegex(said, "[1-9][0-9]* rescued")
            report, said = self.adapted(2)
        self.assertIn("as at the last start", said)
        self.assertEqual(bits(report), bits(self.adapted(0)[0]))

"""The check of the floors sees what it is for: small houses are built, each with one thing wrong."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CC = os.environ.get("CC", "cc").split()

SOUND = {
    "order.txt": "# lowest first\nlow  knows nothing\nhigh  knows low\n",
    "src/low/a.h": "int a_of(int x);\n",
    "src/low/a.c": '#include "low/a.h"\nint a_of(int x) { return x; }\n',
    "src/low/b.c": '#include "low/a.h"\nint b_of(int x);\nint b_of(int x) { return a_of(x); }\n',
    "src/high/c.h": "#pragma once\nstruct c { int x; };\n",
    "src/high/c.c": '#include "high/c.h"\n#include "low/a.h"\nint c_of(struct c *c);\nint c_of(struct c *c) { return a_of(c->x); }\n',
}


class HouseTest(unittest.TestCase):
    def verdict(self, **changed):
        """What the check says of the sound house with some files changed; names have __ for / and _dot_ for a dot."""
        folder = tempfile.mkdtemp(prefix="lacuna-house-")
        self.addCleanup(shutil.rmtree, folder, True)
        files = dict(SOUND)
        files.update({name.replace("__", "/").replace("_dot_", "."): text for name, text in changed.items()})
        for name, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        for name in files:
            if name.endswith(".c"):
                target = os.path.join(folder, "objects", name[len("src/") : -1] + "o")
                os.makedirs(os.path.dirname(target), exist_ok=True)
                source = os.path.join(folder, name)
                subprocess.check_call([*CC, "-c", "-iquote", os.path.join(folder, "src"), source, "-o", target])
        command = [sys.executable, "-B", os.path.join(HERE, "house.py"), "objects", "src", "order.txt"]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 1 if done.stdout else 0, done.stdout)
        return done.stdout

    def test_a_sound_house_passes(self):
        self.assertEqual(self.verdict(), "")

    def test_an_include_upwards_is_seen(self):
        said = self.verdict(src__low__b_dot_c='#include "high/c.h"\nint b;\n')
        self.assertIn("low/b.c includes high/c.h, which lies above it", said)

    def test_an_include_upwards_through_another_header_is_seen(self):
        said = self.verdict(src__low__a_dot_h='#include "high/c.h"\nint a_of(int x);\n')
        self.assertIn("low/a.h includes high/c.h", said)
        self.assertIn("low/b.c includes high/c.h", said)

    def test_a_call_upwards_without_an_include_is_seen(self):
        said = self.verdict(
            src__low__b_dot_c="struct c;\nint c_of(struct c *c);\nint b_of(void);\nint b_of(void) { return c_of(0); }\n"
        )
        self.assertIn("low/b.c calls high/c.c, which lies above it: c_of", said)

    def test_a_circle_of_two_files_is_seen(self):
        said = self.verdict(
            src__low__a_dot_c="int b_of(int x);\nint a_of(int x);\nint a_of(int x) { return x > 0 ? b_of(x - 1) : 0; }\n"
        )
        self.assertIn("low/a.c and low/b.c call one another, at last: b_of", said)
        self.assertIn("low/b.c and low/a.c call one another, at last: a_of", said)

    def test_a_circle_of_three_files_is_seen(self):
        said = self.verdict(
            src__low__a_dot_c="int d_of(int x);\nint a_of(int x);\nint a_of(int x) { return d_of(x); }\n",
            src__low__d_dot_c="int b_of(int x);\nint d_of(int x);\nint d_of(int x) { return b_of(x); }\n",
        )
        self.assertEqual(said.count("call one another"), 3)

    def test_a_circle_that_both_files_give_a_reason_for_passes(self):
        a = "/* Circle with b.c: they count down in turns. */\nint b_of(int x);\nint a_of(int x);\nint a_of(int x) { return b_of(x); }\n"
        b = '/* Circle with a.c: they count down in turns. */\n#include "low/a.h"\nint b_of(int x);\nint b_of(int x) { return a_of(x); }\n'
        self.assertEqual(self.verdict(src__low__a_dot_c=a, src__low__b_dot_c=b), "")
        self.assertIn("low/b.c and low/a.c", self.verdict(src__low__a_dot_c=a))

    def test_a_reason_below_the_top_of_a_file_or_without_words_does_not_count(self):
        below = (
            "int b_of(int x);\n/* Circle with b.c: late. */\nint a_of(int x);\nint a_of(int x) { return b_of(x); }\n"
        )
        self.assertIn("low/a.c and low/b.c", self.verdict(src__low__a_dot_c=below))
        empty = "/* Circle with b.c: */\nint b_of(int x);\nint a_of(int x);\nint a_of(int x) { return b_of(x); }\n"
        self.assertIn("low/a.c and low/b.c", self.verdict(src__low__a_dot_c=empty))

    def test_a_folder_without_a_place_in_the_order_is_seen(self):
        self.assertIn("no floor of order.txt: attic", self.verdict(src__attic__e_dot_c="int e;\n"))
        self.assertIn("no floor of order.txt: a source", self.verdict(src__loose_dot_c="int e;\n"))


if __name__ == "__main__":
    unittest.main()

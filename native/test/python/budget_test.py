"""What a gentle compaction takes of a training's time, by a clock that is played."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "python"))

from lacuna.compact.budget import SHARE, Budget  # noqa: E402

STEP = 1.0


class Ends(unittest.TestCase):
    """A second of training, then a look at all storages, then what there is room for, and again."""

    def setUp(self):
        self.budget, self.now = Budget(), 0.0

    def end(self, sizes, look=0.001, a_byte=1e-8, idle=False):
        """(seconds that the end of a step took, storages that it moved)"""
        self.now += STEP
        began, moved = self.now, 0
        if not self.budget.begin(self.now):
            return 0.0, 0
        self.now += look
        while sizes and not idle and (not moved or self.budget.has_room(sizes[-1], self.now)):
            took = sizes.pop() * a_byte
            self.budget.moved(took / a_byte, took)
            self.now, moved = self.now + took, moved + 1
        self.budget.end(self.now)
        return self.now - began, moved

    def test_nothing_is_done_before_it_is_known_how_long_a_step_takes(self):
        self.assertEqual(self.end([1000]), (0.0, 0))

    def test_no_step_gives_more_than_its_share_once_it_is_known_how_long_bytes_take(self):
        sizes = [500_000] * 100  # 5 ms each
        ends = [self.end(sizes) for _ in range(40)]
        self.assertEqual(sizes, [])
        self.assertTrue(all(took <= SHARE * STEP * 1.001 for took, _ in ends[2:]), ends)
        self.assertGreaterEqual(max(moved for _, moved in ends), 9)

    def test_what_one_storage_overdraws_is_taken_off_the_steps_that_follow(self):
        self.end([])
        took, moved = self.end([20_000_000])  # 200 ms
        self.assertEqual(moved, 1)
        self.assertGreater(took, 0.2)
        pauses = 0
        while self.end([1000])[1] == 0:
            pauses += 1
        self.assertEqual(pauses, 3)

    def test_looking_is_taken_off_what_is_moved(self):
        sizes = [500_000] * 100
        for _ in range(4):
            self.end(sizes)
        took, moved = self.end(sizes, look=0.03)
        self.assertLessEqual(took, SHARE * STEP * 1.001)
        self.assertLessEqual(moved, 4)

    def test_what_steps_leave_is_not_saved(self):
        sizes = [500_000] * 100
        for _ in range(4):
            self.end(sizes)
        for _ in range(20):
            self.end(sizes, idle=True)
        self.assertLessEqual(self.end(sizes)[0], SHARE * STEP * 1.001)


if __name__ == "__main__":
    unittest.main()

"""A recorded training, replayed by the agent itself with a switch in its course: for compaction_cases.py and bench/compaction_bench.py.

What is recorded is what a training asks for; the replay asks an agent without memory behind it for the same, `scale` times as large,
switches it before a step, moves at that step's end what outlives steps as HostMover does (compact/move.py), and sets the cap some
steps later. What the recording cannot tell is which storages may move: here it is all that was there at the switch, at the step's end
and two steps later.
"""

import array
import ctypes
import os

from case import NATIVE
from compaction_runs import CHUNK_MIB, MIB, smallest
from compaction_steps import CAPPED, SWITCHED
from recorded import ALLOC, FREE, PHASE, STEP_BEGINS, STEP_ENDS, events

TAKE, GIVE, MARK, SWITCH, LIMIT = 1, 2, 3, 5, 6  # lacuna_command_kind
ROOM = 1 << 40
SMALL, CHUNK = 1 << 20, CHUNK_MIB << 20
SURVIVED = 2  # ends of steps


class _Options(ctypes.Structure):
    _fields_ = [("capacity_bytes", ctypes.c_uint64), ("fraction", ctypes.c_double), ("optimisation", ctypes.c_int32),
                ("backend", ctypes.c_int32), ("device", ctypes.c_int32), ("serve", ctypes.c_int32),
                ("range_bytes", ctypes.c_uint64), ("other_bytes", ctypes.c_uint64), ("bookkeeping_only", ctypes.c_uint32),
                ("policy", ctypes.c_uint32)]  # fmt: skip


class Recording:
    """Commands of a training, by step; blocks are numbered, and known by when they came and went."""

    def __init__(self, command):
        self.commands, self.begins, self.ends = [], [], []  # (kind, block, value); places of the steps in them
        self.sizes, self.born, self.died = [], [], []
        held = {}
        for event in events(command):
            if event.kind == ALLOC:
                held[event.address] = len(self.sizes)
                self._note(TAKE, len(self.sizes), event.size)
                self.sizes.append(event.size)
                self.born.append(len(self.commands))
                self.died.append(None)
            elif event.kind == FREE and event.address in held:
                block = held.pop(event.address)
                self._note(GIVE, block, 0)
                self.died[block] = len(self.commands)
            elif event.kind == PHASE:
                self._mark(event.size)

    def _note(self, kind, block, value):
        self.commands.append((kind, block, value))

    def _mark(self, phase):
        if phase == STEP_BEGINS:
            self.begins.append(len(self.commands))
        self._note(MARK, 0, phase)
        if phase == STEP_ENDS:
            self.ends.append(len(self.commands))

    def outliving(self, step):
        """What was there before a step and still is some steps later, the largest first."""
        began, later = self.begins[step], self.ends[step + SURVIVED]
        blocks = [n for n, died in enumerate(self.died) if self.born[n] <= began and (died is None or died > later)]
        return sorted(blocks, key=lambda block: -self.sizes[block])


def _moves(recording, step, scale):
    """HostMover's two exchanges of each."""
    blocks, spare = recording.outliving(step), len(recording.sizes)
    longest = (max(recording.sizes[block] for block in blocks) * scale // CHUNK + 1) * CHUNK
    for block in blocks:
        size = recording.sizes[block] * scale
        longer = SMALL if size < SMALL else max(longest, size + 1)
        yield from ((TAKE, spare, longer), (GIVE, block, 0), (TAKE, block, size), (GIVE, spare, 0))


class Replay:
    """One way of one recording: `to` is where it is switched to, None where it began so."""

    def __init__(self, recording, start, to=None, compacts=False, scale=1):
        self._ids, self._start = len(recording.sizes) + 1, start
        words = array.array("Q")
        for place, (kind, block, value) in enumerate(recording.commands[: recording.ends[-1]]):
            if to is not None and place == recording.begins[SWITCHED]:
                _add(words, SWITCH, 0, to == "on")
            if place == recording.begins[CAPPED]:
                self._cap_at = len(words) + 1
                _add(words, LIMIT, 0, ROOM)
            if compacts and place == recording.ends[SWITCHED]:
                for move in _moves(recording, SWITCHED, scale):
                    _add(words, *move)
            _add(words, kind, block, value * scale if kind == TAKE else value)
        self._words = words
        self._library = ctypes.CDLL(os.path.join(NATIVE, "build", "liblacuna.so"))

    def serves(self, cap_mib):
        """Whether all that it asks for is served with this cap."""
        self._words[self._cap_at] = cap_mib * MIB
        options = _Options(capacity_bytes=ROOM, optimisation=self._start == "on", bookkeeping_only=1)
        agent, library = ctypes.c_void_p(), self._library
        if library.lacuna_open(ctypes.byref(options), ctypes.byref(agent)) != 0:
            raise MemoryError("no agent")
        try:
            commands, count = (ctypes.c_char * (8 * len(self._words))).from_buffer(self._words), len(self._words) // 3
            if library.lacuna_replay(agent, commands, ctypes.c_size_t(count), ctypes.c_uint32(self._ids), None) != 0:
                raise ValueError("the agent did not take the commands")
            return library.lacuna_last_oom(agent, None, ctypes.c_size_t(0)) == 0
        finally:
            library.lacuna_close(agent)

    def smallest_mib(self, guess):
        return smallest(self.serves, guess)


def _add(words, kind, block, value):
    """A lacuna_command: kind and id share a word, stream and padding the last."""
    words.extend((kind | block << 32, int(value), 0))

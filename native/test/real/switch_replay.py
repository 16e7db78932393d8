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
SMALL, CHUNK, UNIT = 1 << 20, CHUNK_MIB << 20, 512
SURVIVED = 2  # ends of steps


class _Options(ctypes.Structure):
    _fields_ = [("capacity_bytes", ctypes.c_uint64), ("fraction", ctypes.c_double), ("optimisation", ctypes.c_int32),
                ("backend", ctypes.c_int32), ("device", ctypes.c_int32), ("serve", ctypes.c_int32),
                ("range_bytes", ctypes.c_uint64), ("other_bytes", ctypes.c_uint64), ("bookkeeping_only", ctypes.c_uint32),
                ("policy", ctypes.c_uint32)]  # fmt: skip


class _Counters(ctypes.Structure):
    _fields_ = [("sequence", ctypes.c_uint64), ("backend", ctypes.c_uint32), ("index", ctypes.c_uint32), ("time_ns", ctypes.c_uint64),
                ("total_bytes", ctypes.c_uint64), ("reserved_bytes", ctypes.c_uint64), ("rest", ctypes.c_char * 472)]  # fmt: skip


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


class _Moves:
    """What HostMover asks for: room for all (lacuna_compaction_prepare), and two exchanges of each."""

    def __init__(self, recording, step, scale):
        self.blocks = [(block, recording.sizes[block] * scale) for block in recording.outliving(step)]
        rounded = [-(-size // UNIT) * UNIT for _, size in self.blocks]
        self.room = sum(size for size in rounded if size > SMALL)
        self.longest = (max(size for _, size in self.blocks) // CHUNK + 1) * CHUNK
        self._spare = len(recording.sizes)

    def commands(self):
        for block, size in self.blocks:
            longer = SMALL if size < SMALL else max(self.longest, size + 1)
            yield from ((TAKE, self._spare, longer), (GIVE, block, 0), (TAKE, block, size), (GIVE, self._spare, 0))


class Replay:
    """One way of one recording: `to` is where it is switched to, None where it began so."""

    def __init__(self, recording, start, to=None, compacts=False, scale=1):
        self._ids, self._start = len(recording.sizes) + 1, start
        self._library = ctypes.CDLL(os.path.join(NATIVE, "build", "liblacuna.so"))
        self._stops = []  # (words before it, what is called there with the agent; False ends the replay)
        words = array.array("Q")
        for place, (kind, block, value) in enumerate(recording.commands[: recording.ends[-1]]):
            if to is not None and place == recording.begins[SWITCHED]:
                _add(words, SWITCH, 0, to == "on")
            if place == recording.begins[CAPPED]:
                self._cap_at = len(words) + 1
                _add(words, LIMIT, 0, ROOM)
                self._stops.append((len(words), self._reaches_cap))
            if compacts and place == recording.ends[SWITCHED]:
                self._compact(words, _Moves(recording, SWITCHED, scale))
            _add(words, kind, block, value * scale if kind == TAKE else value)
        self._words = words

    def _compact(self, words, moves):
        room, longest = ctypes.c_uint64(moves.room), ctypes.c_uint64(moves.longest)
        self._stops.append((len(words), lambda agent: self._library.lacuna_compaction_prepare(agent, room, longest) == 0))
        for command in moves.commands():
            _add(words, *command)

    def _reaches_cap(self, agent):
        """What is held above the cap would serve what comes, and be no saving."""
        counters = _Counters()
        self._library.lacuna_counters(agent, ctypes.byref(counters))
        return counters.reserved_bytes <= self._words[self._cap_at]

    def serves(self, cap_mib):
        """Whether all that it asks for is served with this cap."""
        self._words[self._cap_at] = cap_mib * MIB
        options = _Options(capacity_bytes=ROOM, optimisation=self._start == "on", bookkeeping_only=1)
        agent = ctypes.c_void_p()
        if self._library.lacuna_open(ctypes.byref(options), ctypes.byref(agent)) != 0:
            raise MemoryError("no agent")
        try:
            begin = 0
            for end, goes_on in (*self._stops, (len(self._words), lambda agent: True)):
                self._run(agent, begin, end)
                if not goes_on(agent):
                    return False
                begin = end
            return self._library.lacuna_last_oom(agent, None, ctypes.c_size_t(0)) == 0
        finally:
            self._library.lacuna_close(agent)

    def _run(self, agent, begin, end):
        commands, count = (ctypes.c_char * (8 * (end - begin))).from_buffer(self._words, 8 * begin), (end - begin) // 3
        if self._library.lacuna_replay(agent, commands, ctypes.c_size_t(count), ctypes.c_uint32(self._ids), None) != 0:
            raise ValueError("the agent did not take the commands")

    def smallest_mib(self, guess):
        """The smallest cap from which on all serve, a quarter more at most: by PyTorch's rules one may serve, and a larger one not."""
        highest = smallest(self.serves, guess) * 5 // (4 * CHUNK_MIB) * CHUNK_MIB
        return next(cap for cap in range(highest, -1, -CHUNK_MIB) if cap == 0 or not self.serves(cap)) + CHUNK_MIB


def _add(words, kind, block, value):
    """A lacuna_command: kind and id share a word, stream and padding the last."""
    words.extend((kind | block << 32, int(value), 0))

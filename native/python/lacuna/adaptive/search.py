"""Which policies are fastest under a limit."""

import heapq
from functools import reduce

from .step import Costs, State

EVERY_ONE = 20000  # policies: about a second
WIDTH, EACH = 48, 6  # levels of memory, beginnings kept on each


def fastest(profile, limit, count=1):
    """The fastest policies that fit, [(letters, predicted nanoseconds)], best first; of equally fast ones the one that moves
    least. All of them are looked at where there are few; otherwise beginnings are kept only while they are among the
    fastest of those that hold about as much."""
    costs = Costs(profile)
    every = reduce(lambda product, letters: product * len(letters), costs.choices, 1)
    states = [State(profile.other)]
    for letters in costs.choices:
        states = [after for state in states for after in (state.then(costs, letter, limit) for letter in letters) if after]
        if every > EVERY_ONE:
            states = _thinned(states)
    best = heapq.nsmallest(count, states, key=lambda state: (state.time(), _moved(state.letters)))
    return [(state.letters, state.time() + costs.beside) for state in best]


def _moved(letters):
    return len(letters) - letters.count("K")


def _thinned(states):
    if len(states) <= WIDTH * EACH:
        return states
    least = min(state.held for state in states)
    level = max(1, (max(state.held for state in states) - least) // WIDTH + 1)
    levels = {}
    for state in states:
        levels.setdefault((state.held - least) // level, []).append(state)
    return [state for group in levels.values() for state in heapq.nsmallest(EACH, group, key=_promise)]


def _promise(state):
    """The time so far, what is still on the link counted half: layers to come hide some of it."""
    waiting = state.time() - state.forward.now - state.backward.now
    return state.forward.now + state.backward.now + waiting / 2, state.held

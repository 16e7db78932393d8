"""Every agent that COMMAND starts gets a tuner of its own, in a thread of the process that waits for COMMAND."""

import os
import threading
import time

from ..run.summary import words
from . import kept
from .dial import Agent
from .tuner import Tuner

LOOK_S = 0.2

WORDS = {
    "en": {
        "found": "layers {letters}: {took}found for this model and limit, and kept for the next start",
        "reused": "layers {letters}: as at the last start",
        "tight": "layers {letters}: {took}the fastest that was tried, though tensors have to be rescued; kept for the next start",
        "again": "searching again: {why}",
        "taken": "the layers' policy was changed by hand; it stays",
        "step": "{ms:.1f} ms a step, ",
        "limit": "the limit or the layers changed",
        "pressure": "tensors had to be rescued",
        "shapes": "shapes vary, and some steps keep more",
        "drift": "steps take another time than they did",
        "broken": "no longer searching: {why}",
    },
    "zh": {
        "found": "各层 {letters}：{took}已为此模型与上限找到，并留作下次启动使用",
        "reused": "各层 {letters}：同上次启动",
        "tight": "各层 {letters}：{took}试过的方案中最快，但仍有张量需要救援；已留作下次启动使用",
        "again": "重新搜索：{why}",
        "taken": "各层策略已被手动更改；保持不变",
        "step": "每步 {ms:.1f} 毫秒，",
        "limit": "上限或层发生了变化",
        "pressure": "有张量需要救援",
        "shapes": "形状有变化，有的步保存得更多",
        "drift": "每步用时与先前不同",
        "broken": "不再搜索：{why}",
    },
}
LONGEST = 64  # letters of a policy that are said


class Fleet:
    """Looks for agents of processes that carry the mark, until COMMAND has ended."""

    def __init__(self, environment, directory):
        self._mark = b"LACUNA_RUN=" + os.fsencode(environment["LACUNA_RUN"])
        self._directory, self._environment = directory, environment
        self._words = WORDS["zh" if words(environment)["joint"] == "；" else "en"]
        self._seen, self._ended = set(), threading.Event()

    def begin(self):
        threading.Thread(target=self._look, name="lacuna-adaptive", daemon=True).start()

    def end(self):
        self._ended.set()

    def _look(self):
        while not self._ended.is_set():
            for name in self._sockets():
                if name not in self._seen and is_of_command(name, self._mark):
                    self._seen.add(name)
                    threading.Thread(target=self._tune, args=(name,), daemon=True).start()
            time.sleep(LOOK_S)

    def _sockets(self):
        try:
            return [name for name in os.listdir(self._directory) if name.endswith(".sock")]
        except OSError:
            return []

    def _tune(self, name):
        agent, pid = Agent(os.path.join(self._directory, name)), name.split("-")[2]

        def say(key, facts):
            self._say(pid, key, facts)

        try:
            Tuner(agent, kept.folder(self._environment), say, self._ended.is_set).run()
        except Exception as broken:
            self._say(pid, "broken", {"why": repr(broken)})
        finally:
            agent.close()

    def _say(self, pid, key, facts):
        facts = dict(facts)
        if "letters" in facts:
            facts["letters"] = runs(facts["letters"])
        took = facts.get("took")
        facts["took"] = self._words["step"].format(ms=took / 1e6) if took else ""
        facts["why"] = self._words.get(facts.get("why"), facts.get("why"))
        line = "lacuna: %s: %s\n" % (pid, self._words[key].format(**facts))
        try:
            os.write(2, line.encode("utf-8", "backslashreplace"))
        except OSError:
            pass  # there is nobody left to tell


def is_of_command(name, mark):
    """Whether an agent's file belongs to a process with this word in its environment. Names are boot-namespace-pid-start."""
    try:
        with open("/proc/%d/environ" % int(name.split("-")[2]), "rb") as environment:
            return mark in environment.read().split(b"\0")
    except (OSError, ValueError, IndexError):
        return False


def runs(letters):
    """A policy for people: letters in a row with their count, such as ``4K 3S R``."""
    parts, at = [], 0
    while at < len(letters):
        end = at
        while end < len(letters) and letters[end] == letters[at]:
            end += 1
        parts.append(("%d" % (end - at) if end - at > 1 else "") + letters[at])
        at = end
    text = " ".join(parts)
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"

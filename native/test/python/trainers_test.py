"""What known trainers do, named: functions of modules that look like theirs are wrapped when they are imported."""

import asyncio
import importlib
import inspect
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "python"))

from lacuna import named, phases, trainers  # noqa: E402

WORKERS = """
from lacuna import named

def registered(function):
    function.attributes = {"dispatch": "mesh"}
    return function

class ActorRolloutRefWorker:
    @registered
    def update_actor(self, data):
        return data, list(named.open_names)

    async def generate_sequences(self, prompts):
        return prompts, list(named.open_names)

    def save(self):
        return list(named.open_names)
"""


class OfVerl(unittest.TestCase):
    """Its workers of FSDP, of Megatron and of its own engines share names; not each has all of them."""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        place = os.path.join(cls.directory.name, "verl", "workers")
        os.makedirs(place)
        for name in ("fsdp_workers", "megatron_workers", "engine_workers"):
            with open(os.path.join(place, name + ".py"), "w") as file:
                file.write(WORKERS)
        cls.finders = list(sys.meta_path)
        sys.path.insert(0, cls.directory.name)
        trainers.install(phases.AfterImport, lambda: named)

    @classmethod
    def tearDownClass(cls):
        sys.path.remove(cls.directory.name)
        sys.meta_path[:] = cls.finders
        cls.directory.cleanup()

    def test_the_workers_of_each_kind_name_what_they_do(self):
        for kind in ("fsdp_workers", "megatron_workers", "engine_workers"):
            with self.subTest(kind=kind):
                worker = importlib.import_module("verl.workers." + kind).ActorRolloutRefWorker()
                self.assertEqual(worker.update_actor(3), (3, ["actor-update"]))
                self.assertEqual(asyncio.run(worker.generate_sequences(4)), (4, ["rollout"]))
                self.assertEqual(worker.save(), [])

    def test_what_its_dispatcher_reads_of_a_function_stays(self):
        worker = importlib.import_module("verl.workers.megatron_workers").ActorRolloutRefWorker
        self.assertEqual(worker.update_actor.attributes, {"dispatch": "mesh"})
        self.assertTrue(inspect.iscoroutinefunction(worker.generate_sequences))


if __name__ == "__main__":
    unittest.main()

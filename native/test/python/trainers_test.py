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

# Modules by path, each with what its trainer of that version has there, by the same names and arguments.
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

class RewardModelWorker:
    @registered
    def compute_rm_score(self, data):
        return list(named.open_names)
"""
ENGINE_WORKERS = """
from lacuna import named

class TrainingWorker:
    def train_mini_batch(self, data):
        return self.train_batch(data)

    def train_batch(self, data):
        return list(named.open_names)

    def infer_batch(self, data):
        return list(named.open_names)

class ActorRolloutRefWorker:
    def __init__(self):
        self.actor = self.ref = TrainingWorker()

    def update_actor(self, data):
        return self.actor.train_mini_batch(data=data)

    def compute_ref_log_prob(self, data):
        return self.ref.infer_batch(data=data)
"""
LOOP = """
import functools
from lacuna import named

def no_grad(run):
    @functools.wraps(run)
    def decorated(self, *args, **kwargs):
        return run(self, *args, **kwargs)

    return decorated

class %s:
    @no_grad
    def run(self):
        return list(named.open_names)
"""
LIGHTNING_TRAINER = """
from lacuna import named

class Trainer:
    def save_checkpoint(self, filepath, weights_only=None, storage_options=None):
        return list(named.open_names)
"""
MEGATRON = """
from lacuna import named

def save_checkpoint_and_time(iteration, model, optimizer, opt_param_scheduler, num_floating_point_operations_so_far,
                             checkpointing_context, non_persistent_ckpt=False, train_data_iterator=None):
    return list(named.open_names)

def evaluate(forward_step_func, data_iterator, model, process_non_loss_data_func, config, verbose=False, non_loss_data_func=None):
    return list(named.open_names)

def train(iteration):
    return save_checkpoint_and_time(iteration, 0, 0, 0, 0, {}), evaluate(0, 0, 0, 0, 0)
"""
TRANSFORMERS = """
from lacuna import named

class Trainer:
    def evaluate(self, eval_dataset=None, ignore_keys=None, metric_key_prefix="eval"):
        return list(named.open_names)

    def predict(self, test_dataset, ignore_keys=None, metric_key_prefix="test"):
        return list(named.open_names)

    def _save_checkpoint(self, model, trial):
        return list(named.open_names)
"""
MODULES = {
    "verl.trainer.ppo.workers.fsdp_workers": WORKERS,
    "verl.trainer.ppo.workers.megatron_workers": WORKERS,
    "verl.workers.fsdp_workers": WORKERS,
    "verl.workers.megatron_workers": WORKERS,
    "verl.workers.engine_workers": ENGINE_WORKERS,
    "lightning.pytorch.loops.evaluation_loop": LOOP % "_EvaluationLoop",
    "lightning.pytorch.loops.prediction_loop": LOOP % "_PredictionLoop",
    "lightning.pytorch.trainer.trainer": LIGHTNING_TRAINER,
    "pytorch_lightning.loops.evaluation_loop": LOOP % "_EvaluationLoop",
    "pytorch_lightning.loops.prediction_loop": LOOP % "_PredictionLoop",
    "pytorch_lightning.trainer.trainer": LIGHTNING_TRAINER,
    "megatron.training.training": MEGATRON,
    "transformers.trainer": TRANSFORMERS,
}


class Trainers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        for name, text in MODULES.items():
            path = os.path.join(cls.directory.name, *name.split(".")) + ".py"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        cls.finders = list(sys.meta_path)
        sys.path.insert(0, cls.directory.name)
        trainers.install(phases.AfterImport, lambda: named)

    @classmethod
    def tearDownClass(cls):
        sys.path.remove(cls.directory.name)
        sys.meta_path[:] = cls.finders
        cls.directory.cleanup()

    def test_there_is_one_of_each_that_is_known(self):
        self.assertEqual(set(MODULES), set(trainers.TRAINERS) - {"torch.serialization"})


class OfVerl(Trainers):
    """Its workers of FSDP and of Megatron share names; not each has all of them."""

    def test_the_workers_of_each_kind_name_what_they_do(self):
        for kind in ("workers.fsdp_workers", "workers.megatron_workers", "trainer.ppo.workers.fsdp_workers"):
            with self.subTest(kind=kind):
                module = importlib.import_module("verl." + kind)
                worker = module.ActorRolloutRefWorker()
                self.assertEqual(worker.update_actor(3), (3, ["actor-update"]))
                self.assertEqual(asyncio.run(worker.generate_sequences(4)), (4, ["rollout"]))
                self.assertEqual(worker.save(), [])
                self.assertEqual(module.RewardModelWorker().compute_rm_score(5), ["reward"])

    def test_workers_of_engines_say_what_they_do_for_whom(self):
        module = importlib.import_module("verl.workers.engine_workers")
        self.assertEqual(module.ActorRolloutRefWorker().update_actor(3), ["actor-update", "update"])
        self.assertEqual(module.ActorRolloutRefWorker().compute_ref_log_prob(3), ["reference", "inference"])
        self.assertEqual(module.TrainingWorker().train_mini_batch(3), ["update"])
        self.assertEqual(module.TrainingWorker().infer_batch(3), ["inference"])

    def test_what_its_dispatcher_reads_of_a_function_stays(self):
        worker = importlib.import_module("verl.workers.megatron_workers").ActorRolloutRefWorker
        self.assertEqual(worker.update_actor.attributes, {"dispatch": "mesh"})
        self.assertTrue(inspect.iscoroutinefunction(worker.generate_sequences))


class OfOthers(Trainers):
    def test_lightning_by_either_of_its_names(self):
        for package in ("lightning.pytorch", "pytorch_lightning"):
            with self.subTest(package=package):
                load = lambda name, package=package: importlib.import_module(package + name)  # noqa: E731
                self.assertEqual(load(".loops.evaluation_loop")._EvaluationLoop().run(), ["evaluation"])
                self.assertEqual(load(".loops.prediction_loop")._PredictionLoop().run(), ["evaluation"])
                self.assertEqual(load(".trainer.trainer").Trainer().save_checkpoint("x", weights_only=True), ["checkpoint"])

    def test_megatron_calls_its_own_by_their_names(self):
        self.assertEqual(importlib.import_module("megatron.training.training").train(3), (["checkpoint"], ["evaluation"]))

    def test_hugging_face_s_trainer(self):
        trainer = importlib.import_module("transformers.trainer").Trainer()
        self.assertEqual(trainer.evaluate(metric_key_prefix="x"), ["evaluation"])
        self.assertEqual((trainer.predict(3), trainer._save_checkpoint(1, 2)), (["evaluation"], ["checkpoint"]))


if __name__ == "__main__":
    unittest.main()

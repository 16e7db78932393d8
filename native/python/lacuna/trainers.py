"""What known trainers do beside steps, named for who watches: their functions are wrapped once their modules are imported.

Those that are attached to are not wrapped; there the same is seen from outside (graft/resident/phases.py).
"""

VERL = (  # alike in all of its workers up to 0.7, as far as they have them
    ("ActorRolloutRefWorker", "generate_sequences", "rollout"),
    ("ActorRolloutRefWorker", "compute_log_prob", "log-prob"),
    ("ActorRolloutRefWorker", "compute_ref_log_prob", "reference"),
    ("ActorRolloutRefWorker", "update_actor", "actor-update"),
    ("CriticWorker", "compute_values", "values"),
    ("CriticWorker", "update_critic", "critic-update"),
    ("RewardModelWorker", "compute_rm_score", "reward"),
)
# From 0.8 on critics, and models that are fine-tuned, have one kind of worker, which those of actors have inside of them, too; rollouts
# are in processes of others.
VERL_ENGINES = (*VERL, ("TrainingWorker", "train_batch", "update"), ("TrainingWorker", "infer_batch", "inference"))
LIGHTNING = {
    "loops.evaluation_loop": (("_EvaluationLoop", "run", "evaluation"),),
    "loops.prediction_loop": (("_PredictionLoop", "run", "evaluation"),),
    "trainer.trainer": (("Trainer", "save_checkpoint", "checkpoint"),),
}
TRAINERS = {  # module: (class or None, function, phase)
    "transformers.trainer": (
        ("Trainer", "evaluate", "evaluation"),
        ("Trainer", "predict", "evaluation"),
        ("Trainer", "_save_checkpoint", "checkpoint"),
    ),
    **{"%s.%s" % (package, module): LIGHTNING[module] for package in ("lightning.pytorch", "pytorch_lightning") for module in LIGHTNING},
    "megatron.training.training": ((None, "evaluate", "evaluation"), (None, "save_checkpoint_and_time", "checkpoint")),
    "verl.trainer.ppo.workers.fsdp_workers": VERL,  # 0.1
    "verl.trainer.ppo.workers.megatron_workers": VERL,
    "verl.workers.fsdp_workers": VERL,
    "verl.workers.megatron_workers": VERL,
    "verl.workers.engine_workers": VERL_ENGINES,
    "torch.serialization": ((None, "save", "checkpoint"),),
}


def name(module, functions, phase):
    """Wraps those that are there: other versions may lack some."""
    from types import FunctionType

    for kind, function, its in functions:
        owner = module if kind is None else getattr(module, kind, None)
        found = vars(owner).get(function) if owner is not None else None
        if isinstance(found, FunctionType):
            setattr(owner, function, phase(its)(found))


def install(after_import, load):
    """
    :param after_import: makes a finder of a dictionary, which does what it says once a module was imported
    :param load: gives the module ``named``; not before it is needed
    """
    import sys

    actions = {each: lambda module, functions=functions: name(module, functions, load().phase) for each, functions in TRAINERS.items()}
    sys.meta_path.insert(0, after_import(actions))

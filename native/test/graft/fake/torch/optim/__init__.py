import torch

if not torch.OLD:
    from . import optimizer


class Optimizer:
    def __init__(self, parameters=()):
        self.param_groups, self.state = [{"params": list(parameters)}], {}

    def _optimizer_step_code(self):
        pass

    def step(self):
        self._optimizer_step_code()
        if not torch.OLD:
            for hook in list(optimizer.hooks.values()):
                hook(self, (), {})

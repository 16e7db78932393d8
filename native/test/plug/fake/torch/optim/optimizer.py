import functools


class Optimizer:
    """Patches the step of its class at the first instance, as PyTorch 2.x does for its profiler and its hooks."""

    def __init__(self, parameters):
        self.parameters = parameters
        step = self.__class__.step
        if not getattr(step, "hooked", None):
            self.__class__.step = self.profile_hook_step(step)
            self.__class__.step.hooked = True

    @staticmethod
    def profile_hook_step(function):
        @functools.wraps(function)
        def wrapper(*arguments, **named):
            return function(*arguments, **named)

        return wrapper

    def step(self, closure=None):
        raise NotImplementedError


class SGD(Optimizer):
    def step(self, closure=None):
        return None

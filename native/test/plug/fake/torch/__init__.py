"""As much of PyTorch 2.x as the package touches, with the order of its imports and the checks of its allocator."""

from types import SimpleNamespace

__version__ = "2.4.0"
version = SimpleNamespace(cuda="12.4", hip=None)


class OutOfMemoryError(RuntimeError):
    pass


def is_grad_enabled():
    return True


from . import _C, compiler, cuda, nn, optim  # noqa: E402, F401

"""``lacuna.adapt``: custom autograd functions under swapping."""

import sys


def adapt(function, *arguments, **named):
    """Calls a function, or ``apply`` of a ``torch.autograd.Function``, as a layer of its own: what it saves with
    ``ctx.save_for_backward`` may go to the host. What it keeps as attributes of ``ctx`` is its own and stays. Without
    Lacuna, or with swapping off, this is the call alone."""
    apply = getattr(function, "apply", None) if isinstance(function, type) else None
    call = apply if apply is not None else function
    swap = sys.modules.get("_lacuna_swap")
    process = swap.of_process() if swap is not None else None
    if process is None:
        return call(*arguments, **named)
    return process.adapt(call, arguments, named)

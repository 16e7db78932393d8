"""Custom autograd functions that save a view which they made themselves.

PyTorch 1.13 cannot give such a tensor back under any hooks for saved tensors: made without gradients, it is a leaf that
nobody collects gradients for, and claims to require some because its base does (an internal assertion, `!grad_accumulator_.
expired()`). Where that is so, a function that is about to save a view without a graph saves without our hooks: what it saves
stays, and is what it would have been without us. The view of a result counts too, whose base requires gradients only
once the function is over.
"""

import sys

from .hooks import are_aside, are_ours_open, set_aside


def fails_with_views(torch):
    """Whether this PyTorch has that fault. Tried without memory, random numbers or a backward; where it cannot be tried, yes."""
    graph = torch.autograd.graph

    class View(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            context.save_for_backward(x.view(-1))
            return x.clone()

        @staticmethod
        def backward(context, gradient):
            return gradient

    def same(tensor):
        return tensor

    try:
        with torch.enable_grad():
            x = torch.empty(1, 1, device="meta", requires_grad=True)
            with graph.saved_tensors_hooks(same, same):
                y = View.apply(x)
        y.grad_fn.saved_tensors
        return False
    except Exception:
        return True


def _may_fail(tensor):
    """Whether it is a view without a graph of its own; also where that cannot be told."""
    if tensor is None:
        return False
    try:
        return tensor._base is not None and tensor.grad_fn is None
    except Exception:
        return True


def _wrap(function):
    Function, Context = function.Function, function.FunctionCtx
    own, save = Function.__dict__.get("apply"), Context.save_for_backward

    def apply(cls, *arguments, **named):
        call = super(Function, cls).apply if own is None else own.__get__(None, cls)
        if not are_ours_open():
            return call(*arguments, **named)
        before = are_aside()
        try:
            return call(*arguments, **named)
        finally:
            set_aside(before)

    def save_for_backward(self, *tensors):
        if are_ours_open() and any(map(_may_fail, tensors)):
            set_aside(True)
        return save(self, *tensors)

    for ours, theirs in (apply, Function.apply), (save_for_backward, save):
        ours.__doc__, ours.__name__, ours.__module__ = theirs.__doc__, theirs.__name__, function.__name__
    apply.__qualname__, save_for_backward.__qualname__ = "Function.apply", save.__qualname__
    Function.apply, Context.save_for_backward = classmethod(apply), save_for_backward


def after_import(torch):
    """Acts on torch, before a script can take the `apply` of a function."""
    try:
        graph = getattr(getattr(torch, "autograd", None), "graph", None)
        if hasattr(graph, "saved_tensors_hooks") and fails_with_views(torch):
            _wrap(sys.modules["torch.autograd.function"])
    except Exception as broken:  # training comes first
        sys.stderr.write("lacuna: functions that save views are not looked after: %r\n" % (broken,))

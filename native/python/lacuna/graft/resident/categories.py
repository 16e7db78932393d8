"""Whose the bytes are."""

def storage_bytes(tensors, place):
    """{address: bytes} of the storages on a device (kind, number); a storage counts once, whatever views of it there are."""
    found = {}
    for tensor in tensors:
        try:
            if tensor is None or (tensor.device.type, tensor.device.index or 0) != place:
                continue
            storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()._untyped()
            found[storage.data_ptr()] = storage.nbytes()
        except (AttributeError, RuntimeError, NotImplementedError, TypeError):
            continue  # no tensor with a storage of its own
    return found


def tensors_in(value, depth=4):
    if hasattr(value, "untyped_storage") or hasattr(value, "storage"):
        yield value
    elif depth and isinstance(value, dict):
        for inner in list(value.values()):
            yield from tensors_in(inner, depth - 1)
    elif depth and isinstance(value, (list, tuple)):
        for inner in list(value):
            yield from tensors_in(inner, depth - 1)


def categories(optimizers, place, allocated, least):
    """Bytes by what they are for. `least`: the least that was allocated during the last step, 0 where it is not known:
    what came and went above that are activations."""
    parameters = [p for o in optimizers for group in list(o.param_groups) for p in list(group["params"])]
    held = storage_bytes(parameters, place)
    gradients = {a: n for a, n in storage_bytes([p.grad for p in parameters], place).items() if a not in held}
    states = [t for o in optimizers for state in list(o.state.values()) for t in tensors_in(state)]
    kept = {a: n for a, n in storage_bytes(states, place).items() if a not in held and a not in gradients}
    sums = [sum(part.values()) for part in (held, gradients, kept)]
    rest = max(0, allocated - sum(sums))
    other = min(rest, max(0, least - sums[0] - sums[2])) if least else 0
    names = ("parameters_bytes", "gradients_bytes", "optimizer_bytes", "activations_bytes", "other_bytes")
    return dict(zip(names, sums + [rest - other, other]))


def optimizers_of(torch, seen):
    """Those that have stepped since the start; else those that the collector knows, which takes a while."""
    found = list(seen)
    if not found:
        import gc

        kind = torch.optim.Optimizer
        found = [o for o in gc.get_objects() if isinstance(type(o), type) and issubclass(type(o), kind)]
    return found

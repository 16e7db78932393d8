"""What may move: parameters, modules' buffers, gradients and the state of optimizers, where all that refers to them is known."""

from . import agent as agents_of
from . import holders

# lacuna_backend -> the framework's word for such devices
_KINDS = {agents_of.VIRTUAL: "cpu", agents_of.CUDA: "cuda"}


def parameters_of(optimizers, roots):
    """Parameters by identity, and buffers, with how many modules' and groups' slots hold them."""
    slots, found = {}, {}
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                found[id(parameter)] = parameter
                slots[id(parameter)] = slots.get(id(parameter), 0) + 1
    for root in roots:
        for module in root.modules():
            for parameter in (*module._parameters.values(), *module._buffers.values()):
                if parameter is not None:
                    found[id(parameter)] = parameter
                    slots[id(parameter)] = slots.get(id(parameter), 0) + 1
    return [(parameter, slots[key]) for key, parameter in found.items()]


def states_of(optimizers, torch):
    for optimizer in optimizers:
        for state in list(optimizer.state.values()):
            if isinstance(state, dict):
                for value in state.values():
                    if isinstance(value, torch.Tensor):
                        yield value, 1


def gradients_of(parameters):
    for parameter, _ in parameters:
        if parameter.is_leaf and parameter.grad is not None:
            yield parameter.grad, 0


def is_ordinary(tensor, torch):
    """Dense, with memory of its own kind; subclasses may keep addresses of parts."""
    return (
        type(tensor) in (torch.Tensor, torch.nn.Parameter)
        and tensor.layout is torch.strided
        and not tensor.is_quantized
        and tensor.device.type in _KINDS.values()
    )


class Plan:
    """The storages of one kind of device that lie on the side that does not serve, and what becomes of them."""

    def __init__(self, torch, agents, counting):
        self._torch, self._agents, self._counting = torch, agents, counting

    def left_over(self, entries, on_device):
        """(storages to move, [(why, bytes)] of those that stay). `on_device`: whether a tensor is of the device meant."""
        entries = [(tensor, slots) for tensor, slots in entries if on_device(tensor)]
        odd = [("kind", _bytes_of(tensor)) for tensor, _ in entries if not is_ordinary(tensor, self._torch)]
        ordinary = [(tensor, slots) for tensor, slots in entries if is_ordinary(tensor, self._torch)]
        return [held for held in holders.gather(ordinary).values() if self.is_left_over(held)], odd

    def is_left_over(self, held):
        """On the side that does not serve now. What is of neither side is left over, too, if only to be counted."""
        address, device = held.storage.data_ptr(), held.tensors[0][0].device
        if address == 0 or held.storage.nbytes() == 0:
            return False
        owner = self._agents.owner(address)
        if owner:
            return self._agents.is_left_over(owner, address) != agents_of.SERVING
        serving = self._agents.of_cuda(device.index) if device.type == "cuda" else self._agents.beside_the_host()
        return serving is None or self._agents.serves(serving)

    def refusal(self, held, mover):
        """Why it stays; None where it may move."""
        device = held.tensors[0][0].device
        address = held.storage.data_ptr()
        owner = self._agents.owner(address)
        if device.type == "cpu" and not self._is_the_hosts(owner, address):
            return "foreign"
        if self._counting.is_shared(held):
            return "shared"
        if self._counting.is_exported(held):
            return "exported"
        return mover.refusal(held)

    def _is_the_hosts(self, owner, address):
        """What is of no agent may have come from PyTorch's own functions; what has not cannot be resized, and says so then."""
        if not owner:
            return self._agents.beside_the_host() is not None
        return self._agents.is_left_over(owner, address) == agents_of.LEFT_OVER


def _bytes_of(tensor):
    try:
        return tensor.numel() * tensor.element_size()
    except (RuntimeError, NotImplementedError):  # a subclass without memory of its own
        return 0

"""What autograd holds instead of a tensor."""

import sys


class Stored:
    """One storage that autograd saved. Lives as long as something that was saved on it."""

    __slots__ = (
        "manager", "native", "ticket", "storage", "address", "bytes", "device", "run", "index", "key", "saved",
        "away", "returned", "__weakref__",
    )  # fmt: skip

    def __init__(self, manager, ticket, storage, device, run, index, key):
        self.manager, self.native, self.ticket = manager, manager.native, ticket
        self.storage, self.address, self.bytes, self.device = storage, storage.data_ptr(), storage.nbytes(), device
        self.run, self.index, self.key = run, index, key
        self.saved = []  # weak references to what was saved on it
        self.away = False  # counted as on the host, or on its way there
        self.returned = False  # has been on the host

    def __del__(self):
        self.native.leave(self.ticket)  # a copy may still read the storage
        known = self.manager.by_address.get(self.address)
        if known is not None and known() is None:
            self.manager.by_address.pop(self.address, None)
        if self.away:
            self.manager.away_bytes -= self.bytes

    def send(self):
        """Begins to copy out; False where the host has no room, or swapping is off."""
        if self.away:
            return True
        if self.storage is None or not self.native.out(self.ticket, self.manager.stream(self.device)):
            return False
        self.away = True
        self.manager.away_bytes += self.bytes
        return True

    def let_go(self):
        """Drops the storage once its bytes are on the host; called by rescues in the middle of anything."""
        if not self.native.let_go(self.ticket):
            return False
        self.returned = True
        for reference in self.saved:
            saved = reference()
            if saved is not None:
                saved.forget()
        self.manager.by_address.pop(self.address, None)
        self.storage = None
        if not self.away:
            self.away = True
            self.manager.away_bytes += self.bytes
        return True

    def stay(self):
        """A copy out that failed: the storage is where it was."""
        if self.away:
            self.away = False
            self.manager.away_bytes -= self.bytes

    def ask_back(self):
        """Begins to copy in; the storage, or None where another thread is at it."""
        storage = self.manager.new_storage(self.bytes, self.device)
        if not self.native.bring(self.ticket, storage.data_ptr(), self.manager.stream(self.device)):
            return None
        self.storage = storage
        self.stay()
        return storage

    def bring_back(self):
        """The storage with its bytes, for who comes next on the current stream."""
        storage = self.storage
        while storage is None:
            storage = self.ask_back() or self.storage
        if not self.native.wait(self.ticket, self.manager.stream(self.device)):
            raise RuntimeError("lacuna: %d bytes could not be copied back to %s" % (self.bytes, self.device))
        return storage


class Saved:
    """What autograd holds for a tensor: the tensor itself, or how to make it again."""

    __slots__ = ("stored", "layer", "tensor", "version", "changed", "dtype", "offset", "size", "stride", "__weakref__")

    def __init__(self, stored, tensor, layer):
        self.layer = layer  # whose forward saved it
        self.stored, self.tensor, self.version, self.changed = stored, tensor, tensor._version, False
        self.dtype, self.offset = tensor.dtype, tensor.storage_offset()
        self.size, self.stride = tensor.size(), tensor.stride()

    def forget(self):
        tensor = self.tensor
        if tensor is not None:
            self.changed = tensor._version != self.version
            self.tensor = None

    def get(self):
        tensor = self.tensor
        if self.changed or (tensor is not None and tensor._version != self.version):
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                "a tensor of %s was saved at version %d" % (list(self.size), self.version)
            )
        if tensor is None:
            torch = sys.modules["torch"]
            with torch.no_grad():
                tensor = torch.empty(0, dtype=self.dtype, device=self.stored.device)
                tensor.set_(self.stored.bring_back(), self.offset, self.size, self.stride)
        return tensor

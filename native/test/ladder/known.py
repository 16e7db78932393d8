"""What fails under the agent today because it is a CUDAPluggableAllocator, of which PyTorch does not ask everything: to be
emptied by an allocator in front of PyTorch's own. `FAMILY.CASE LABEL`, and why. One that passes is a failure: take it out."""

REFUSED = "PyTorch refuses it of a pluggable allocator: "

KNOWN = {}

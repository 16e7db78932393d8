package dev.lacuna.core.planning.swap.kernel;

/**
 * One movement of a piece of a tensor.
 *
 * @param tensor number of the tensor
 * @param piece number of the piece over all tensors
 * @param bytes how much moves
 * @param out whether it leaves the device
 * @param disk whether its other end is the disk and not the host
 * @param beginCycles when it begins
 * @param endCycles when it has arrived
 */
public record SwapTransfer(
        int tensor, int piece, long bytes, boolean out, boolean disk, long beginCycles, long endCycles) {}

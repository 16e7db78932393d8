package dev.lacuna.app.demo;

/** A workload needs PyTorch, and no Python on this machine has it. */
public final class NoTorchException extends Exception {
    private static final long serialVersionUID = 1L;
}

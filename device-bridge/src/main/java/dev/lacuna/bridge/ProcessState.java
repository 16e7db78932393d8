package dev.lacuna.bridge;

/** How a training process is doing, as the kernel tells. */
public enum ProcessState {
    RUNNING,
    /** Stopped by a signal (SIGSTOP) or a debugger: alive, but nothing moves and commands would time out. */
    STOPPED,
    /** Dead, or its pid belongs to another process now. */
    GONE
}

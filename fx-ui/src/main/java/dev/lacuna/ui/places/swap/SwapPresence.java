package dev.lacuna.ui.places.swap;

/** Whether there is swapping to show and to steer, and else why not. */
public enum SwapPresence {
    /** Nothing is attached. */
    NO_PROCESS,
    /** It was not prepared, and nothing in it can swap. */
    STOCK,
    /** The process's first answers are awaited. */
    WAITING,
    /** The agent is older than swapping. */
    OLD_AGENT,
    /** Nothing in the process can swap: its Python side is not there, or has seen no forward yet. */
    NOT_LOADED,
    /** This device cannot copy to a host. */
    NO_DEVICE,
    /** Swapping can be seen and steered. */
    THERE
}

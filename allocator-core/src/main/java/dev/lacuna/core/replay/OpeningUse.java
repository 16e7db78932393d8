package dev.lacuna.core.replay;

/** How a run began, where the trace was recorded late. */
public enum OpeningUse {
    /** Nothing is known to have been held, or the policy makes no such segments: the blocks were asked for, if any. */
    ASKED_FOR,
    /** The policy went on from the segments that were held. */
    TAKEN_OVER,
    /** Other sizes, or a device with too little room for the segments: the blocks were asked for. */
    DOES_NOT_FIT
}

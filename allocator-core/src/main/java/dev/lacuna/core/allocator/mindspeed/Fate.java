package dev.lacuna.core.allocator.mindspeed;

/** What a look-up found that a request's block did. */
enum Fate {
    /** It was still live when its run ended. */
    SURVIVED,
    /** It was freed within its run. */
    ENDED,
    /** No such request is known. */
    UNKNOWN
}

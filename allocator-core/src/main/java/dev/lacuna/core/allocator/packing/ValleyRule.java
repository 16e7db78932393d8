package dev.lacuna.core.allocator.packing;

/** Which column of which valley of the skyline is decided next. All prefer few choices, but for the one that prefers depth. */
enum ValleyRule {
    /** Fewest choices, then the lowest floor. */
    FEWEST_THEN_LOWEST {
        @Override
        double rank(int choices, int floor, int slack) {
            return choices * 1e10 + floor;
        }
    },
    /** The lowest floor, then fewest choices: filling strictly from below. */
    LOWEST_THEN_FEWEST {
        @Override
        double rank(int choices, int floor, int slack) {
            return floor * 1e5 + choices;
        }
    },
    /** Fewest choices, then the least room to waste. */
    FEWEST_THEN_TIGHTEST {
        @Override
        double rank(int choices, int floor, int slack) {
            return choices * 1e10 + slack;
        }
    };

    /** The lower, the sooner. */
    abstract double rank(int choices, int floor, int slack);
}

package dev.lacuna.core.replay;

import java.util.Collection;
import java.util.Locale;

/** How a run began, where the trace was recorded late. */
public enum OpeningUse {
    /** Nothing is known to have been held, or the policy makes no such segments: the blocks were asked for, if any. */
    ASKED_FOR,
    /** The policy went on from the segments that were held. */
    TAKEN_OVER,
    /** Other sizes, or a device with too little room for the segments: the blocks were asked for. */
    DOES_NOT_FIT;

    /** The word for it in documents: {@code asked-for}, {@code taken-over}, {@code does-not-fit}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * What is to be said beside runs that are compared: that the segments do not fit, else that a policy took them over; {@link #ASKED_FOR}
     * where all began alike and nothing needs saying.
     */
    public static OpeningUse ofAll(Collection<ReplayResult> runs) {
        return runs.stream()
                .map(ReplayResult::openingUse)
                .max(OpeningUse::compareTo)
                .orElse(ASKED_FOR);
    }
}

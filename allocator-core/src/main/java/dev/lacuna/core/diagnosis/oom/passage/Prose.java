package dev.lacuna.core.diagnosis.oom.passage;

import java.util.List;
import java.util.regex.Pattern;

/** Tells a page that teaches about a failure from a log that has one: what stands on a line of its own may be quoted there. */
public final class Prose {
    private static final int REACH = 200;
    private static final int FEWEST_WORDS = 4;

    /** How a page speaks to whoever may meet the message; those who met it speak of themselves. */
    private static final Pattern TEACHES = Pattern.compile(
            "you(?:will|may|might|could|would|should|can)(?:also|then|probably|likely|typically|usually)?"
                    + "(?:see|get|receive|find|notice|encounter)");

    /** Signs of code and of traceback; prose has few of them. */
    private static final Pattern CODE = Pattern.compile("[=(){}\\[\\]<>|_\\\\/]|\\.\\w");

    /** What a reference says below the name. */
    private static final List<String> DEFINES = List.of("Exception raised when", "alias of");

    private static final String TRACEBACK = "traceback(mostrecentcalllast)";
    private static final String FRAME = "file\"";

    private Prose() {}

    /** Whether somebody tells, shortly before this place, what whoever reads may come to see. */
    public static boolean teaches(Passage passage, int start) {
        String lower = passage.lower();
        return TEACHES.matcher(lower.substring(Math.max(0, start - REACH), start))
                .find();
    }

    /** Whether a class's name that has a line of its own stands in the middle of a sentence, or beside a program that catches it. */
    public static boolean surrounds(Passage passage, int start) {
        String before = passage.lineBefore(start);
        boolean open = is(before) && ".:!?".indexOf(before.charAt(before.length() - 1)) < 0;
        String behind = passage.lineBehind(start);
        return open && is(behind) || DEFINES.stream().anyMatch(behind::startsWith) || isCaught(passage.lower(), start);
    }

    private static boolean isCaught(String lower, int start) {
        String around = lower.substring(Math.max(0, start - 2 * REACH), Math.min(lower.length(), start + 2 * REACH));
        boolean failed = around.contains(FRAME) || around.contains(TRACEBACK);
        return !failed && HANDLERS.stream().anyMatch(around::contains);
    }

    private static final List<String> HANDLERS =
            List.of("excepttorch.cuda.outofmemoryerror", "excepttorch.outofmemoryerror");

    /** Whether a line is a sentence, or a part of one. */
    private static boolean is(String line) {
        return line.split(" ").length >= FEWEST_WORDS && !CODE.matcher(line).find();
    }
}

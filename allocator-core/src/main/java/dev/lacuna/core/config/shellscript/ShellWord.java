package dev.lacuna.core.config.shellscript;

import java.util.Optional;

/**
 * A word after expansion.
 *
 * @param text what it says; where something in it is unknown, that part as the script writes it
 * @param unknown the first part that the script alone does not tell
 */
public record ShellWord(String text, Optional<Unknown> unknown) {
    /** Why a part of a script is not known. */
    public enum Reason {
        /** Nothing in the script gives the variable a value. */
        NOT_SET,
        /** The output of a command. */
        COMMAND,
        /** Given in a branch or loop whose course only a run decides. */
        VARIES,
        /** More than is worked out here: patterns, indirection, too long, too deep, no whole number. */
        BEYOND
    }

    /** @param reference as the script writes it, such as {@code $NNODES}, with blanks that part no words */
    public record Unknown(String reference, Reason reason) {
        private static final int LONGEST = 60;
        private static final char UNBREAKABLE = '\u00a0';

        public Unknown {
            String line = reference.strip().replaceAll("\\s+", String.valueOf(UNBREAKABLE));
            reference = line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1) + "…";
        }

        /** The reference for people. */
        public String written() {
            return reference.replace(UNBREAKABLE, ' ');
        }
    }

    /** Text that is known. */
    public static ShellWord of(String text) {
        return new ShellWord(text, Optional.empty());
    }

    static ShellWord unknown(String reference, Reason reason) {
        Unknown unknown = new Unknown(reference, reason);
        return new ShellWord(unknown.reference(), Optional.of(unknown));
    }

    boolean isNotSet() {
        return unknown.map(u -> u.reason() == Reason.NOT_SET).orElse(false);
    }
}

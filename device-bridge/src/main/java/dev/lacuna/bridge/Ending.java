package dev.lacuna.bridge;

import dev.lacuna.core.base.Translations;
import java.text.MessageFormat;
import java.util.Locale;

/**
 * How a training process ended, as far as somebody knows: the process itself, the parent that waited for it, or the kernel.
 * The sentences stand in {@code Ending*.properties}.
 */
public sealed interface Ending {
    /** The sentence in this language. */
    String text(Locale locale);

    /** Whether the process itself told it, so that what it recorded is whole. */
    default boolean isTold() {
        return this instanceof Finished || this instanceof Interrupted || this instanceof Failed;
    }

    /** In good order, as its agent told; its exit status is its parent's to know. */
    record Finished() implements Ending {
        @Override
        public String text(Locale locale) {
            return sentence(locale, "finished");
        }
    }

    /** Ctrl-C, unhandled, as its interpreter told. */
    record Interrupted() implements Ending {
        @Override
        public String text(Locale locale) {
            return sentence(locale, "interrupted");
        }
    }

    /** Another unhandled exception, as its interpreter told; {@code exception} is its type. */
    record Failed(String exception) implements Ending {
        @Override
        public String text(Locale locale) {
            return sentence(locale, "failed", exception);
        }
    }

    /** With this exit status, as its parent knows. */
    record Exited(int status) implements Ending {
        @Override
        public String text(Locale locale) {
            return sentence(locale, "exited", Integer.toString(status));
        }
    }

    /** By this signal, as its parent knows. */
    record Signalled(int signal) implements Ending {
        @Override
        public String text(Locale locale) {
            return sentence(locale, "signalled", Signals.named(signal));
        }
    }

    /** The kernel's log names it among the killed: by the limit of its control group, or for want of memory in the machine. */
    record KilledForMemory(boolean groupLimit) implements Ending {
        @Override
        public String text(Locale locale) {
            return sentence(locale, groupLimit ? "memory.group" : "memory.machine");
        }
    }

    /** It told nothing, and its control group counts so many killed for want of memory since it started. */
    record ProbablyKilledForMemory(long kills) implements Ending {
        @Override
        public String text(Locale locale) {
            return sentence(locale, "memory.counted", kills);
        }
    }

    /** It told nothing, and nobody else did: a signal, or a kill. */
    record Unknown() implements Ending {
        @Override
        public String text(Locale locale) {
            return sentence(locale, "unknown");
        }
    }

    /**
     * What a parent knows, who has waited for it.
     *
     * @param status its exit status; 128 and the number of a signal where one ended it
     * @param seen what a reader saw
     */
    static Ending ofStatus(int status, Ending seen) {
        if (status == 0) {
            return new Finished();
        }
        int signal = status - Signals.BASE;
        if (seen instanceof Failed || seen instanceof Interrupted) {
            // Python's own statuses say less than what was seen.
            return status == 1 || signal == Signals.INTERRUPT ? seen : new Exited(status);
        }
        if (seen instanceof Finished || signal <= 0 || signal > Signals.MOST) {
            return new Exited(status);
        }
        return seen instanceof Unknown || signal != Signals.KILL ? new Signalled(signal) : seen;
    }

    private static String sentence(Locale locale, String key, Object... arguments) {
        return MessageFormat.format(
                Translations.of(Ending.class.getName(), locale).getString(key), arguments);
    }
}

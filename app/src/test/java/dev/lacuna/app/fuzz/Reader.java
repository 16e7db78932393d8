package dev.lacuna.app.fuzz;

import java.util.List;

/**
 * Something of Lacuna's that reads what others wrote.
 *
 * @param name what it is called in reports; also the folder of what was found with it
 * @param seeds inputs that it understands
 * @param reading reads one input
 */
record Reader(String name, List<byte[]> seeds, Reading reading) {
    Reader {
        seeds = List.copyOf(seeds);
    }

    /** Reads one input. */
    @FunctionalInterface
    interface Reading {
        /** How the outcome is told apart from others; {@link #REFUSED} first where the input was refused in words. */
        String read(byte[] input) throws Exception;
    }

    /** How the outcome of an input that is not understood begins. */
    static final String REFUSED = "refused ";

    /** This refusal as an outcome: its words, whatever the figures in them. */
    static String refused(Throwable why) {
        String words = why.getClass().getSimpleName() + " " + why.getMessage();
        return REFUSED + words.substring(0, Math.min(60, words.length())).replaceAll("[^A-Za-z ]+", "#");
    }
}

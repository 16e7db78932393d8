package dev.lacuna.bridge;

import java.util.regex.Pattern;

/** What a person types to say that this process, and no other, is meant: the name of its script, else its number. */
public final class ProcessName {
    /** What anybody can type; the like of blanks and quotes is not asked for. */
    private static final Pattern TYPEABLE = Pattern.compile("[\\p{L}\\p{N}._+@-]+");

    private ProcessName() {}

    /** Of this process: {@code train_gpt.py}, or {@code 4711} where its command line names no script. */
    public static String of(TrainingProcess process) {
        for (String word : process.command().strip().split("\\s+")) {
            String name = word.substring(word.lastIndexOf('/') + 1);
            if (name.endsWith(".py") && TYPEABLE.matcher(name).matches()) {
                return name;
            }
        }
        return Long.toString(process.pid());
    }
}

package dev.lacuna.core.base;

/** How a user calls this program where a command is shown, so that what is shown works where it is pasted. */
public final class ProgramName {
    /** What stands for it in bundles of texts. */
    public static final String TOKEN = "@lacuna@";

    private static final String PROPERTY = "lacuna.program";
    private static final String INSTALLED = "lacuna";

    private ProgramName() {}

    /** {@code lacuna} where it is on the path; else what the script that started it says, as a shell reads it. */
    public static String text() {
        String called = System.getProperty(PROPERTY, INSTALLED);
        return called.matches("[\\w./+:@%=-]+") ? called : "'" + called.replace("'", "'\\''") + "'";
    }

    /** A text with its {@link #TOKEN}s filled in. */
    public static String in(String text) {
        return text.contains(TOKEN) ? text.replace(TOKEN, text()) : text;
    }

    /** A command of this program as it can be pasted; other commands as they are. */
    public static String command(String command) {
        return command.startsWith(INSTALLED + " ") ? text() + command.substring(INSTALLED.length()) : command;
    }
}

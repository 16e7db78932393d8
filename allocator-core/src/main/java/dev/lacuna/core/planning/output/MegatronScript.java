package dev.lacuna.core.planning.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts arguments into the text of a script or a list of arguments. Values change where they stand, settings that the
 * plan decides otherwise go, and new ones follow the number of layers; all else stays as it is written.
 */
public final class MegatronScript {
    private static final Pattern ANCHOR = Pattern.compile("(?<![\\w-])--num[-_]layers(?:[=\\s]+)[^\\s\\\\\"')]+");

    private MegatronScript() {}

    /**
     * The text with these arguments.
     *
     * @throws OutputException when it holds no {@code --num-layers}, or a setting twice
     */
    public static String edited(String text, MegatronArguments arguments) throws OutputException {
        String changed = text;
        List<String> missing = new ArrayList<>();
        for (String name : MegatronArguments.DECIDED) {
            List<MatchResult> found = found(name, changed);
            if (found.size() > 1) {
                throw new OutputException("output.megatron.twice", name);
            }
            if (found.isEmpty()) {
                if (arguments.values().containsKey(name)) {
                    missing.add(name);
                }
                continue;
            }
            int begin = found.get(0).start();
            int end = found.get(0).end();
            changed = arguments.values().containsKey(name)
                    ? changed.substring(0, begin) + argument(name, arguments.values()) + changed.substring(end)
                    : without(changed, begin, end);
        }
        return missing.isEmpty() ? changed : inserted(changed, missing, arguments.values());
    }

    /** Where it stands, comments left out. */
    private static List<MatchResult> found(String name, String text) {
        return setting(name)
                .matcher(text)
                .results()
                .filter(match -> {
                    int lineBegin = text.lastIndexOf('\n', match.start()) + 1;
                    return !text.substring(lineBegin, match.start()).contains("#");
                })
                .toList();
    }

    /** The name with dashes or underscores, then values up to the next argument, line or quote. */
    private static Pattern setting(String name) {
        String value = "(?!--)[^\\s\\\\\"')#]+";
        return Pattern.compile("(?<![\\w-])--" + name.replace("-", "[-_]") + "(?![\\w-])(?:(?:=|[ \\t]+)" + value
                + "(?:[ \\t]+" + value + ")*)?");
    }

    private static String argument(String name, Map<String, String> values) {
        return "--" + name + " " + values.get(name);
    }

    /** A line that held nothing else goes as a whole. */
    private static String without(String text, int begin, int end) {
        int lineBegin = text.lastIndexOf('\n', begin - 1) + 1;
        int lineEnd = text.indexOf('\n', end);
        String before = text.substring(lineBegin, begin);
        String after = lineEnd < 0 ? text.substring(end) : text.substring(end, lineEnd);
        if (before.isBlank() && (after.isBlank() || after.strip().equals("\\")) && lineEnd >= 0) {
            return text.substring(0, lineBegin) + text.substring(lineEnd + 1);
        }
        int from = begin;
        while (from > lineBegin && text.charAt(from - 1) == ' ') {
            from--;
        }
        return text.substring(0, from) + text.substring(end);
    }

    private static String inserted(String text, List<String> names, Map<String, String> values) throws OutputException {
        Matcher anchor = ANCHOR.matcher(text);
        if (!anchor.find()) {
            throw new OutputException("output.megatron.script");
        }
        StringBuilder added = new StringBuilder();
        names.forEach(name -> added.append(' ').append(argument(name, values)));
        return text.substring(0, anchor.end()) + added + text.substring(anchor.end());
    }
}

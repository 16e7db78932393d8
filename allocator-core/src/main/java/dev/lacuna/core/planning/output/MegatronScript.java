package dev.lacuna.core.planning.output;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.swap.conflict.SwapConflict;
import dev.lacuna.core.planning.swap.conflict.SwapConflicts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts arguments into the text of a script or a list of arguments. Values change where they stand, settings that the
 * plan decides otherwise go, and new ones follow the number of layers; all else stays as it is written.
 */
public final class MegatronScript {
    private static final Pattern ANCHOR = Pattern.compile("(?<![\\w-])--num[-_]layers(?:[=\\s]+)[^\\s\\\\\"')]+");

    /**
     * Settings with which MindSpeed itself decides what layers recompute. It does not start with them beside a fixed choice,
     * and a plan that keeps everything is not what they would do.
     */
    private static final List<Pattern> SELF_DECIDING = List.of(
            flag("adaptive-memory-optimization"),
            flag("adaptive-recompute-device-swap"),
            setting("adaptive-recompute-device-size"),
            setting("adaptive-recompute-profiling-step"));

    private MegatronScript() {}

    /**
     * A script with a plan in it.
     *
     * @param notes what else had to be changed in it
     */
    public record Edited(String text, List<MegatronArguments.Note> notes) {
        public Edited {
            notes = List.copyOf(notes);
        }
    }

    /**
     * The text with a plan for a model of so many layers, which says nothing against what else the text holds.
     *
     * @throws RefusedException also when the text trains another number of layers, or would then not start
     */
    public static Edited edited(String text, MegatronArguments arguments, int layers) throws RefusedException {
        String trained = Arguments.parse(text).text("num-layers").orElse("");
        if (trained.matches("\\d+") && !trained.equals(Integer.toString(layers))) {
            throw new RefusedException(PlanFailure.WORDS.of("output.layers", Integer.toString(layers), trained));
        }
        String changed = text;
        for (Pattern each : SELF_DECIDING) {
            for (List<MatchResult> found = found(each, changed); !found.isEmpty(); found = found(each, changed)) {
                changed = without(changed, found.get(0).start(), found.get(0).end());
            }
        }
        boolean decided = !changed.equals(text);
        changed = edited(changed, arguments);
        for (SwapConflict conflict : SwapConflicts.of(Arguments.parse(changed), Set.of())) {
            boolean planned = arguments.values().keySet().stream()
                    .anyMatch(name -> conflict.settings().contains("--" + name));
            if (planned && conflict.severity() == SwapConflict.Severity.REFUSED) {
                throw new RefusedException(
                        PlanFailure.WORDS.of("output.megatron.refused", String.join(", ", conflict.settings())));
            }
        }
        return new Edited(changed, decided ? List.of(MegatronArguments.Note.SELF_DECIDING) : List.of());
    }

    /**
     * The text with these arguments.
     *
     * @throws RefusedException when it holds no {@code --num-layers}, or a setting twice
     */
    public static String edited(String text, MegatronArguments arguments) throws RefusedException {
        String changed = text;
        List<String> missing = new ArrayList<>();
        for (String name : MegatronArguments.DECIDED) {
            List<MatchResult> found = found(setting(name), changed);
            if (found.size() > 1) {
                throw new RefusedException(PlanFailure.WORDS.of("output.megatron.twice", name));
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
    private static List<MatchResult> found(Pattern setting, String text) {
        return setting.matcher(text)
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

    /** A switch: what follows it is not its value. */
    private static Pattern flag(String name) {
        return Pattern.compile("(?<![\\w-])--" + name.replace("-", "[-_]") + "(?![\\w-])");
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

    private static String inserted(String text, List<String> names, Map<String, String> values)
            throws RefusedException {
        Matcher anchor = ANCHOR.matcher(text);
        if (!anchor.find()) {
            throw new RefusedException(PlanFailure.WORDS.of("output.megatron.script"));
        }
        StringBuilder added = new StringBuilder();
        names.forEach(name -> added.append(' ').append(argument(name, values)));
        return text.substring(0, anchor.end()) + added + text.substring(anchor.end());
    }
}

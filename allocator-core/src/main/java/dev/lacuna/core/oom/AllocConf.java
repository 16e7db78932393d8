package dev.lacuna.core.oom;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An allocator settings string as it is set in the environment: {@code
 * PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128,expandable_segments:True}. A new string replaces the old one as a whole, so
 * whoever advises to set one key has to repeat the others.
 *
 * @param variable the environment variable
 * @param options values by key, in the order of the string
 */
public record AllocConf(String variable, Map<String, String> options) {
    private static final String OPTION = "[a-z_0-9]{3,40}:(?:\\[[^\\]]{1,120}\\]|[\\w.>-]{1,40})";
    private static final Pattern SET =
            Pattern.compile("\\b(PYTORCH_(?:CUDA_|HIP_|NPU_)?ALLOC_CONF)['\"]?\\]?\\s?[=:]\\s?['\"]?(" + OPTION
                    + "(?:,\\s?" + OPTION + "){0,12})");

    /** A comma that is not inside of a list in brackets. */
    private static final Pattern COMMA = Pattern.compile(",(?![^\\[]*\\])");

    public AllocConf {
        options = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** Nothing set, under this variable. */
    public static AllocConf empty(String variable) {
        return new AllocConf(variable, Map.of());
    }

    /** The setting that this line of a log shows; advice to set one does not count. */
    static Optional<AllocConf> shownIn(String line) {
        Matcher m = SET.matcher(line);
        if (!m.find() || line.substring(0, m.start()).contains("try setting")) {
            return Optional.empty();
        }
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : COMMA.split(m.group(2), -1)) {
            int colon = option.indexOf(':');
            options.put(option.substring(0, colon).strip(), option.substring(colon + 1));
        }
        return Optional.of(new AllocConf(m.group(1), options));
    }

    /** The same with one more option, or another value of it. */
    public AllocConf with(String key, String value) {
        Map<String, String> changed = new LinkedHashMap<>(options);
        changed.put(key, value);
        return new AllocConf(variable, changed);
    }

    /** The same without these options. */
    public AllocConf without(String... keys) {
        Map<String, String> changed = new LinkedHashMap<>(options);
        for (String key : keys) {
            changed.remove(key);
        }
        return new AllocConf(variable, changed);
    }

    /** The whole string, as it is given to a shell. */
    @Override
    public String toString() {
        return variable + "="
                + options.entrySet().stream()
                        .map(e -> e.getKey() + ":" + e.getValue())
                        .collect(Collectors.joining(","));
    }
}

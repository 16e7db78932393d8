package dev.lacuna.core.diagnosis.oom.model;

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
public record PrintedAllocConf(String variable, Map<String, String> options) {
    private static final String KEY = "[a-z_0-9]{3,40}";
    private static final String VALUE = "(?:\\[[^\\]]{1,120}\\]|[\\w.>-]{1,40})";
    private static final String OPTION = KEY + ":" + VALUE;
    private static final Pattern SET =
            Pattern.compile("\\b(PYTORCH_(?:CUDA_|HIP_|NPU_)?ALLOC_CONF)['\"]?\\]?\\s?[=:]\\s?['\"]?(" + OPTION
                    + "(?:,\\s?" + OPTION + "){0,12})");

    private static final Pattern ONE = Pattern.compile("(" + KEY + "):(" + VALUE + ")");

    public PrintedAllocConf {
        options = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** Nothing set, under this variable. */
    public static PrintedAllocConf empty(String variable) {
        return new PrintedAllocConf(variable, Map.of());
    }

    /** The setting that this line of a log shows; advice to set one does not count. */
    public static Optional<PrintedAllocConf> shownIn(String line) {
        Matcher m = SET.matcher(line);
        if (!m.find() || line.substring(0, m.start()).contains("try setting")) {
            return Optional.empty();
        }
        Map<String, String> options = new LinkedHashMap<>();
        Matcher option = ONE.matcher(m.group(2));
        while (option.find()) {
            options.put(option.group(1), option.group(2));
        }
        return Optional.of(new PrintedAllocConf(m.group(1), options));
    }

    /** The same with one more option, or another value of it. */
    public PrintedAllocConf with(String key, String value) {
        Map<String, String> changed = new LinkedHashMap<>(options);
        changed.put(key, value);
        return new PrintedAllocConf(variable, changed);
    }

    /** The same without these options. */
    public PrintedAllocConf without(String... keys) {
        Map<String, String> changed = new LinkedHashMap<>(options);
        for (String key : keys) {
            changed.remove(key);
        }
        return new PrintedAllocConf(variable, changed);
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

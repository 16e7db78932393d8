package dev.lacuna.core.config.document;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a plain scalar means in YAML 1.1, as PyYAML's safe loader resolves it: {@code yes} is true, {@code 010} is eight, {@code 1e-5}
 * (without a point) is text. The frameworks whose files are read here load them so.
 */
final class Yaml11Scalar {
    private static final Map<String, Boolean> FLAGS = Map.ofEntries(
            Map.entry("yes", true),
            Map.entry("Yes", true),
            Map.entry("YES", true),
            Map.entry("true", true),
            Map.entry("True", true),
            Map.entry("TRUE", true),
            Map.entry("on", true),
            Map.entry("On", true),
            Map.entry("ON", true),
            Map.entry("no", false),
            Map.entry("No", false),
            Map.entry("NO", false),
            Map.entry("false", false),
            Map.entry("False", false),
            Map.entry("FALSE", false),
            Map.entry("off", false),
            Map.entry("Off", false),
            Map.entry("OFF", false));
    private static final Pattern NOTHING = Pattern.compile("~|null|Null|NULL|");
    private static final Pattern BINARY = Pattern.compile("[-+]?0b[01_]+");
    private static final Pattern OCTAL = Pattern.compile("[-+]?0[0-7_]+");
    private static final Pattern DECIMAL = Pattern.compile("[-+]?(?:0|[1-9][0-9_]*)");
    private static final Pattern HEXADECIMAL = Pattern.compile("[-+]?0x[0-9a-fA-F_]+");
    private static final Pattern SEXAGESIMAL = Pattern.compile("[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+");
    private static final Pattern REAL =
            Pattern.compile("[-+]?(?:[0-9][0-9_]*\\.[0-9_]*(?:[eE][-+][0-9]+)?|\\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)");
    private static final Pattern INFINITE = Pattern.compile("[-+]?\\.(?:inf|Inf|INF)");
    private static final Pattern NOT_A_NUMBER = Pattern.compile("\\.(?:nan|NaN|NAN)");

    private Yaml11Scalar() {}

    static ConfigValue resolve(String text) {
        if (NOTHING.matcher(text).matches()) {
            return ConfigValue.nothing();
        }
        if (FLAGS.containsKey(text)) {
            return ConfigValue.of(FLAGS.get(text));
        }
        return whole(text)
                .<ConfigValue>map(ConfigValue.Whole::new)
                .or(() -> real(text).map(ConfigValue.Real::new))
                .orElseGet(() -> ConfigValue.of(text));
    }

    private static Optional<BigInteger> whole(String text) {
        if (BINARY.matcher(text).matches()) {
            return digits(text, "0b", 2);
        }
        if (OCTAL.matcher(text).matches()) {
            return digits(text, "0", 8);
        }
        if (DECIMAL.matcher(text).matches()) {
            return digits(text, "", 10);
        }
        if (HEXADECIMAL.matcher(text).matches()) {
            return digits(text, "0x", 16);
        }
        if (SEXAGESIMAL.matcher(text).matches()) {
            BigInteger value = BigInteger.ZERO;
            for (String part : unsigned(text).split(":", -1)) {
                value = value.multiply(BigInteger.valueOf(60)).add(new BigInteger(part));
            }
            return Optional.of(text.startsWith("-") ? value.negate() : value);
        }
        return Optional.empty();
    }

    private static Optional<BigInteger> digits(String text, String prefix, int radix) {
        String bare = unsigned(text).substring(prefix.length());
        if (bare.isEmpty()) {
            return Optional.empty();
        }
        BigInteger value = new BigInteger(bare, radix);
        return Optional.of(text.startsWith("-") ? value.negate() : value);
    }

    private static Optional<Double> real(String text) {
        if (REAL.matcher(text).matches()) {
            return Optional.of(Double.valueOf(text.replace("_", "")));
        }
        if (INFINITE.matcher(text).matches()) {
            return Optional.of(text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
        }
        return NOT_A_NUMBER.matcher(text).matches() ? Optional.of(Double.NaN) : Optional.empty();
    }

    private static String unsigned(String text) {
        String bare = text.replace("_", "");
        return bare.startsWith("-") || bare.startsWith("+") ? bare.substring(1) : bare;
    }
}

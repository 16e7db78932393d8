package dev.lacuna.core.config.mindformers.layer;

import dev.lacuna.core.config.document.ConfigValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** How Python, in which MindFormers is written, sees a value. There, {@code True} is the integer 1. */
public final class Python {
    private Python() {}

    /** {@code isinstance(value, int)}: whole numbers, and true and false as 1 and 0. */
    public static Optional<BigInteger> integer(ConfigValue value) {
        if (value instanceof ConfigValue.Whole whole) {
            return Optional.of(whole.value());
        }
        if (value instanceof ConfigValue.Flag flag) {
            return Optional.of(flag.value() ? BigInteger.ONE : BigInteger.ZERO);
        }
        return Optional.empty();
    }

    /** {@code bool(value)}. */
    public static boolean truth(ConfigValue value) {
        if (value instanceof ConfigValue.Text text) {
            return !text.value().isEmpty();
        }
        if (value instanceof ConfigValue.Items items) {
            return !items.values().isEmpty();
        }
        if (value instanceof ConfigValue.Entries entries) {
            return !entries.values().isEmpty();
        }
        return !(value instanceof ConfigValue.Nothing)
                && number(value).map(n -> n.signum() != 0).orElse(true);
    }

    /** {@code one == other}. */
    public static boolean equal(ConfigValue one, ConfigValue other) {
        Optional<BigDecimal> a = number(one);
        Optional<BigDecimal> b = number(other);
        return a.isPresent() && b.isPresent() ? a.get().compareTo(b.get()) == 0 : one.equals(other);
    }

    /** The numbers of a list that can be an index. */
    static Set<Integer> indices(List<ConfigValue> values) {
        return values.stream()
                .flatMap(value -> integer(value).stream())
                .filter(value -> value.bitLength() < Integer.SIZE)
                .map(BigInteger::intValue)
                .collect(Collectors.toUnmodifiableSet());
    }

    public static boolean isFlag(ConfigValue value, boolean wanted) {
        return value instanceof ConfigValue.Flag flag && flag.value() == wanted;
    }

    /** A list whose parts all satisfy the condition; an empty one does. */
    public static boolean isListOf(ConfigValue value, Predicate<ConfigValue> condition) {
        return value instanceof ConfigValue.Items items
                && items.values().stream().allMatch(condition);
    }

    /** {@code type(value)} as Python prints it. */
    public static String type(ConfigValue value) {
        String name = "dict";
        if (value instanceof ConfigValue.Nothing) {
            name = "NoneType";
        } else if (value instanceof ConfigValue.Flag) {
            name = "bool";
        } else if (value instanceof ConfigValue.Whole) {
            name = "int";
        } else if (value instanceof ConfigValue.Real) {
            name = "float";
        } else if (value instanceof ConfigValue.Text) {
            name = "str";
        } else if (value instanceof ConfigValue.Items) {
            name = "list";
        }
        return "<class '" + name + "'>";
    }

    private static Optional<BigDecimal> number(ConfigValue value) {
        if (value instanceof ConfigValue.Real real) {
            return Double.isFinite(real.value()) ? Optional.of(BigDecimal.valueOf(real.value())) : Optional.empty();
        }
        return integer(value).map(BigDecimal::new);
    }
}

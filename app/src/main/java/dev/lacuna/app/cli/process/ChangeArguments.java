package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.argument.DeviceArgument;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.bridge.Change;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SwapMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Reads {@code optimisation=on fraction=0.94 force=yes device=0} into a {@link Change}; refuses anything else. */
final class ChangeArguments {
    /** Both spellings are understood; what is answered is spelt in one way. */
    private static final Map<String, String> SPELLINGS = Map.of("optimization", "optimisation");

    private ChangeArguments() {}

    /** @throws IllegalArgumentException with a message for the user */
    static Change parse(List<String> assignments) {
        return parse(assignments, Optional.empty(), OptionalLong.empty());
    }

    /**
     * The same with what options said of swapping.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    static Change parse(List<String> assignments, Optional<SwapMode> swap, OptionalLong swapBudgetBytes) {
        Map<String, String> values = new HashMap<>();
        for (String assignment : assignments) {
            int equals = assignment.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException(CliText.text("set.form", assignment));
            }
            String key = SPELLINGS.getOrDefault(assignment.substring(0, equals), assignment.substring(0, equals));
            if (values.put(key, assignment.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(CliText.text("set.twice", key));
            }
        }
        Optional<Boolean> optimisation =
                Optional.ofNullable(values.remove("optimisation")).map(v -> choice("optimisation", v, "on", "off"));
        Optional<PoolPolicy> policy =
                Optional.ofNullable(values.remove("policy")).map(ChangeArguments::policy);
        OptionalDouble fraction = values.containsKey("fraction")
                ? OptionalDouble.of(fraction(values.remove("fraction")))
                : OptionalDouble.empty();
        boolean force = Optional.ofNullable(values.remove("force"))
                .map(v -> choice("force", v, "yes", "no"))
                .orElse(false);
        DeviceArgument device = device(assignments);
        values.remove("device");
        if (!values.isEmpty()) {
            throw new IllegalArgumentException(
                    CliText.text("set.unknown", values.keySet().iterator().next()));
        }
        boolean nothing = optimisation.isEmpty() && policy.isEmpty() && fraction.isEmpty();
        if (nothing && swap.isEmpty() && swapBudgetBytes.isEmpty()) {
            throw new IllegalArgumentException(CliText.text("set.nothing"));
        }
        return new Change(device.number(), optimisation, fraction, force, swap, swapBudgetBytes).by(policy);
    }

    /**
     * Which device the change is meant for. What it is in the table of a process is known there alone.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    static DeviceArgument device(List<String> assignments) {
        String key = "device=";
        return assignments.stream()
                .filter(assignment -> assignment.startsWith(key))
                .findFirst()
                .map(assignment -> assignment.substring(key.length()))
                .map(value -> DeviceArgument.read(value)
                        .orElseThrow(() -> new IllegalArgumentException(CliText.text("set.device", value))))
                .orElse(DeviceArgument.USUAL);
    }

    private static PoolPolicy policy(String value) {
        return PoolPolicy.ofLabel(value)
                .orElseThrow(() -> new IllegalArgumentException(CliText.text(
                        "set.choice", "policy", PoolPolicy.SEGREGATED.label(), PoolPolicy.LIFETIME.label(), value)));
    }

    private static boolean choice(String key, String value, String yes, String no) {
        if (value.equals(yes)) {
            return true;
        }
        if (value.equals(no)) {
            return false;
        }
        throw new IllegalArgumentException(CliText.text("set.choice", key, yes, no, value));
    }

    /** Decimal digits only: Java's parser also takes 0x1p-1, 1d and the like, which nobody means. */
    private static double fraction(String value) {
        if (!value.matches("\\d{0,9}(\\.\\d{0,20})?")) {
            throw new IllegalArgumentException(CliText.text("set.fraction", value));
        }
        try {
            double f = Double.parseDouble(value);
            if (f > 0 && f <= 1) {
                return f;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(CliText.text("set.fraction", value), e);
        }
        throw new IllegalArgumentException(CliText.text("set.fraction", value));
    }
}

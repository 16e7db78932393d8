package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.process.PoolsFirst.Door;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.SwapSetting;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The document of {@code set --json}: what was asked, what holds now, counters before and after. */
final class ChangeJson {
    private ChangeJson() {}

    static String of(Change change, Reply reply, List<MemoryCounters> now, Beside beside) {
        return JsonLine.of(json -> {
            json.writeStartObject();
            asked(json, change);
            door(json, beside.door());
            if (reply instanceof Reply.Applied applied) {
                applied(json, applied);
                beside.missed().write(json);
            } else if (reply instanceof Reply.Refused refused) {
                refused(
                        json,
                        refused,
                        now.stream().filter(c -> c.device() == change.device()).findFirst());
            }
            beside.compacted().write(json);
            json.writeEndObject();
        });
    }

    /**
     * What was done beside the change.
     *
     * @param door what came before it
     * @param missed what the pools would have come to, where it was done without them
     * @param compacted what came after it
     */
    record Beside(Door door, PoolsMissed missed, Compacted compacted) {}

    private static void asked(JsonGenerator json, Change change) throws IOException {
        json.writeObjectFieldStart("asked");
        json.writeNumberField("device", change.device());
        if (change.optimisation().isPresent()) {
            json.writeStringField("optimisation", change.optimisation().get() ? "on" : "off");
        }
        if (change.policy().isPresent()) {
            json.writeStringField("policy", change.policy().get().label());
        }
        if (change.fraction().isPresent()) {
            json.writeNumberField("fraction", change.fraction().getAsDouble());
        }
        if (change.swap().isPresent()) {
            json.writeStringField("swap", change.swap().get().label());
        }
        if (change.swapBudgetBytes().isPresent()) {
            json.writeNumberField("swap_budget_bytes", change.swapBudgetBytes().getAsLong());
        }
        json.writeBooleanField("force", change.force());
        json.writeEndObject();
    }

    /** Whether an agent came for it, where there is a door for one. */
    private static void door(JsonGenerator json, Door door) throws IOException {
        if (door instanceof Door.None) {
            return;
        }
        json.writeObjectFieldStart("take_over");
        json.writeBooleanField("done", door instanceof Door.Opened);
        if (door instanceof Door.Stuck stuck) {
            json.writeObjectFieldStart("error");
            json.writeStringField("code", stuck.code());
            json.writeStringField("text", stuck.text());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void applied(JsonGenerator json, Reply.Applied applied) throws IOException {
        json.writeObjectFieldStart("holds");
        holds(json, applied.optimisation(), applied.fraction(), applied.limitBytes());
        if (applied.policy().isPresent()) {
            json.writeStringField("policy", applied.policy().get().label());
        }
        if (applied.swapping().isPresent()) {
            SwapSetting swapping = applied.swapping().get();
            json.writeStringField("swap", swapping.mode().label());
            json.writeNumberField("swap_budget_bytes", swapping.budgetBytes());
        }
        json.writeEndObject();
        counters(json, "before", applied.before());
        counters(json, "after", applied.after());
        json.writeNumberField("unreached_bytes", applied.unreachedBytes());
        if (applied.swapLeastBytes().isPresent()) {
            json.writeNumberField("swap_least_bytes", applied.swapLeastBytes().getAsLong());
        }
    }

    private static void holds(JsonGenerator json, boolean optimisation, double fraction, long limitBytes)
            throws IOException {
        json.writeStringField("optimisation", optimisation ? "on" : "off");
        json.writeNumberField("fraction", fraction);
        json.writeNumberField("limit_bytes", limitBytes);
    }

    static void counters(JsonGenerator json, String name, Map<String, Long> counters) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> entry : new TreeMap<>(counters).entrySet()) {
            json.writeNumberField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
    }

    private static void refused(JsonGenerator json, Reply.Refused refused, Optional<MemoryCounters> now)
            throws IOException {
        if (now.isPresent()) {
            json.writeObjectFieldStart("holds");
            holds(
                    json,
                    now.get().optimisation(),
                    now.get().fraction(),
                    now.get().limitBytes());
            json.writeEndObject();
        } else {
            json.writeNullField("holds");
        }
        json.writeObjectFieldStart("error");
        json.writeStringField("code", refused.code());
        json.writeStringField("text", refused.text());
        if (refused.guard().isPresent()) {
            guard(json, refused.guard().get());
        }
        json.writeEndObject();
    }

    private static void guard(JsonGenerator json, GuardFigures figures) throws IOException {
        if (figures.lowestSafeFraction().isPresent()) {
            json.writeNumberField(
                    "lowest_safe_fraction", figures.lowestSafeFraction().getAsDouble());
        }
        if (figures.lowestSafeBytes().isPresent()) {
            json.writeNumberField("lowest_safe_bytes", figures.lowestSafeBytes().getAsLong());
        }
        if (figures.basis().isPresent()) {
            json.writeStringField("basis", figures.basis().get().label());
        }
        if (figures.steps().isPresent()) {
            json.writeNumberField("steps", figures.steps().getAsLong());
        }
    }
}

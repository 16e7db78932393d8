package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.bridge.Change;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SwitchTime;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What other rules would take, before they are asked for.
 *
 * @param now what the process counts
 * @param optimisation whether lifetimes would be told apart
 * @param policy by whose rules
 * @param compacts whether what outlives steps is to follow
 */
record SwitchPreview(MemoryCounters now, boolean optimisation, PoolPolicy policy, boolean compacts) {
    static SwitchPreview of(MemoryCounters now, Change change, boolean compacts) {
        return new SwitchPreview(
                now,
                change.optimisation().orElse(now.optimisation()),
                change.policy().orElse(now.policy()),
                compacts);
    }

    private OptionalLong givenBack() {
        return now.givenBackBy(optimisation, policy);
    }

    private Optional<SwitchTime> time() {
        return now.switchTime(optimisation, policy);
    }

    Stream<String> lines() {
        String gives = givenBack().isPresent()
                ? CliText.text("set.preview.gives", ByteSize.format(givenBack().getAsLong()))
                : CliText.text("set.preview.untold");
        String takes = time().map(SwitchPreview::words).orElseGet(() -> CliText.text("set.preview.unknown"));
        return compacts ? Stream.of(gives, takes, compaction()) : Stream.of(gives, takes);
    }

    private static String words(SwitchTime time) {
        String whole = CliText.text(
                "set.preview.takes",
                time.milliseconds((least, most) -> CliText.text("set.preview.range", least, most)));
        if (time.finishMostNs().isEmpty()) {
            return whole + CliText.text("set.preview.finish.unknown");
        }
        long finish = time.finishMostNs().getAsLong();
        return finish == 0 ? whole : whole + CliText.text("set.preview.finish", SwitchTime.milliseconds(finish));
    }

    private String compaction() {
        OptionalLong most = now.compactionMostNs();
        String bytes = ByteSize.format(now.allocatedBytes());
        return most.isPresent()
                ? CliText.text("set.preview.compaction", bytes, SwitchTime.milliseconds(most.getAsLong()))
                : CliText.text("set.preview.compaction.unknown", bytes);
    }

    void write(JsonGenerator out) throws IOException {
        out.writeNumberField("device", now.device());
        out.writeStringField("optimisation", optimisation ? "on" : "off");
        out.writeStringField("policy", policy.label());
        if (givenBack().isPresent()) {
            out.writeNumberField("gives_back_bytes", givenBack().getAsLong());
        } else {
            out.writeNullField("gives_back_bytes");
        }
        milliseconds(out, "release_least_ms", told(SwitchTime::releaseLeastNs));
        milliseconds(out, "release_most_ms", told(SwitchTime::releaseMostNs));
        milliseconds(
                out, "synchronise_most_ms", time().map(SwitchTime::finishMostNs).orElseGet(OptionalLong::empty));
        milliseconds(out, "takes_least_ms", told(SwitchTime::leastNs));
        milliseconds(out, "takes_most_ms", time().map(SwitchTime::mostNs).orElseGet(OptionalLong::empty));
        if (compacts) {
            out.writeObjectFieldStart("compaction");
            out.writeNumberField("moves_most_bytes", now.allocatedBytes());
            milliseconds(out, "takes_most_ms", now.compactionMostNs());
            out.writeEndObject();
        }
    }

    private OptionalLong told(ToLongFunction<SwitchTime> part) {
        return time().stream().mapToLong(part).findFirst();
    }

    private static void milliseconds(JsonGenerator out, String name, OptionalLong ns) throws IOException {
        if (ns.isPresent()) {
            out.writeNumberField(name, ns.getAsLong() / 1e6);
        } else {
            out.writeNullField(name);
        }
    }
}

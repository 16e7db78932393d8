package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.core.allocator.packing.Lifetimes;
import dev.lacuna.core.allocator.packing.LifetimesReader;
import dev.lacuna.core.allocator.packing.Plan;
import dev.lacuna.core.allocator.packing.Planner;
import dev.lacuna.core.base.ByteSize;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** A table of blocks whose lifetimes are known ({@code id,lower,upper,size}): where each of them lies, as low as it gets. */
final class PlacementPlan {
    private static final String HEADER = "id,lower,upper,size";

    private final Path file;
    private final Plan plan;
    private final long bound;
    private final OptionalLong capacity;

    private PlacementPlan(Path file, Lifetimes blocks, OptionalLong capacity) {
        this.file = file;
        this.plan = Planner.installed().plan(blocks, capacity.orElse(Long.MAX_VALUE));
        this.bound = Planner.lowerBound(blocks);
        this.capacity = capacity;
    }

    /** The file, where it is such a table. */
    static Optional<Path> table(String name) {
        try {
            Path file = Path.of(name);
            if (!Files.isRegularFile(file)) {
                return Optional.empty();
            }
            try (BufferedReader in = Files.newBufferedReader(file)) {
                char[] begin = new char[HEADER.length()];
                int count = in.read(begin);
                return count == begin.length && HEADER.equals(new String(begin)) ? Optional.of(file) : Optional.empty();
            }
        } catch (InvalidPathException | MalformedInputException e) {
            return Optional.empty();
        } catch (IOException e) {
            // Whoever reads it next says why it cannot be read.
            return Optional.empty();
        }
    }

    /**
     * The plan.
     *
     * @param capacity what it should fit into, bytes
     */
    static PlacementPlan of(Path table, OptionalLong capacity) throws IOException {
        return new PlacementPlan(table, LifetimesReader.read(table), capacity);
    }

    /** The table with a column for the place of each block, bytes from the beginning. */
    String placed() throws IOException {
        StringBuilder text = new StringBuilder(HEADER + ",offset\n");
        int block = 0;
        List<String> lines = Files.readAllLines(file);
        for (String line : lines.subList(1, lines.size())) {
            if (!line.isBlank()) {
                String[] cells = line.strip().split(",", -1);
                text.append(String.join(",", List.of(cells).subList(0, 4)))
                        .append(',')
                        .append(plan.offset(block++))
                        .append('\n');
            }
        }
        return text.toString();
    }

    /** What came of it, in words. */
    String report(Optional<String> saved) {
        StringBuilder text = new StringBuilder(CliText.text(
                "plan.placed",
                Integer.toString(plan.blocks().count()),
                exact(plan.height()),
                exact(bound),
                plan.height() == bound ? CliText.text("plan.proven") : CliText.text("plan.placed.above", percent())));
        capacity.ifPresent(bytes -> text.append('\n')
                .append(CliText.text(plan.height() <= bytes ? "plan.placed.fits" : "plan.placed.unfit", exact(bytes))));
        saved.ifPresent(name -> text.append('\n').append(CliText.text("plan.saved", name)));
        return text.toString();
    }

    private String percent() {
        return String.format(Locale.ROOT, "%.2f", 100 * ((double) plan.height() / Math.max(1, bound) - 1));
    }

    private static String exact(long bytes) {
        return String.format(Locale.ROOT, "%s (%,d B)", ByteSize.format(bytes), bytes);
    }

    /** The same as one document. */
    String json(Optional<String> saved) {
        return JsonLine.of(json -> {
            json.writeStartObject();
            json.writeStringField("kind", "lifetimes");
            json.writeNumberField("blocks", plan.blocks().count());
            json.writeNumberField("max_live_bytes", bound);
            json.writeNumberField("height_bytes", plan.height());
            json.writeBooleanField("proven", plan.height() == bound);
            if (capacity.isPresent()) {
                json.writeNumberField("budget_bytes", capacity.getAsLong());
                json.writeBooleanField("fits", plan.height() <= capacity.getAsLong());
            }
            if (saved.isPresent()) {
                json.writeStringField("file", saved.get());
            } else {
                json.writeArrayFieldStart("offsets_bytes");
                for (int i = 0; i < plan.blocks().count(); i++) {
                    json.writeNumber(plan.offset(i));
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        });
    }
}

package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.core.allocator.packing.PlacedTable;
import dev.lacuna.core.base.ByteSize;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** What {@code lacuna plan} says of a table of blocks whose lifetimes are known. */
final class PlacementPlan {
    private final PlacedTable placed;
    private final OptionalLong capacity;

    private PlacementPlan(PlacedTable placed, OptionalLong capacity) {
        this.placed = placed;
        this.capacity = capacity;
    }

    /** The file, where it is such a table. */
    static Optional<Path> table(String name) {
        try {
            Path file = Path.of(name);
            if (!Files.isRegularFile(file)) {
                return Optional.empty();
            }
            try (InputStream in = Files.newInputStream(file)) {
                return PlacedTable.recognises(in) ? Optional.of(file) : Optional.empty();
            }
        } catch (InvalidPathException | IOException e) {
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
        return new PlacementPlan(PlacedTable.of(Files.readAllBytes(table), capacity), capacity);
    }

    /** The table with a column for the place of each block, bytes from the beginning. */
    String placed() {
        return placed.withOffsets();
    }

    /** What came of it, in words. */
    String report(Optional<String> saved) {
        StringBuilder text = new StringBuilder(CliText.text(
                "plan.placed",
                Integer.toString(placed.blocks()),
                exact(placed.heightBytes()),
                exact(placed.boundBytes()),
                placed.proven() ? CliText.text("plan.proven") : CliText.text("plan.placed.above", percent())));
        capacity.ifPresent(bytes -> text.append('\n')
                .append(CliText.text(placed.fits(bytes) ? "plan.placed.fits" : "plan.placed.unfit", exact(bytes))));
        saved.ifPresent(name -> text.append('\n').append(CliText.text("plan.saved", name)));
        return text.toString();
    }

    private String percent() {
        return String.format(Locale.ROOT, "%.2f", 100 * placed.above());
    }

    private static String exact(long bytes) {
        return String.format(Locale.ROOT, "%s (%,d B)", ByteSize.format(bytes), bytes);
    }

    /** The same as one document. */
    String json(Optional<String> saved) {
        return JsonLine.of(json -> {
            json.writeStartObject();
            json.writeStringField("kind", "lifetimes");
            json.writeNumberField("blocks", placed.blocks());
            json.writeNumberField("max_live_bytes", placed.boundBytes());
            json.writeNumberField("height_bytes", placed.heightBytes());
            json.writeBooleanField("proven", placed.proven());
            if (capacity.isPresent()) {
                json.writeNumberField("budget_bytes", capacity.getAsLong());
                json.writeBooleanField("fits", placed.fits(capacity.getAsLong()));
            }
            if (saved.isPresent()) {
                json.writeStringField("file", saved.get());
            } else {
                json.writeArrayFieldStart("offsets_bytes");
                for (int i = 0; i < placed.blocks(); i++) {
                    json.writeNumber(placed.plan().offset(i));
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        });
    }
}

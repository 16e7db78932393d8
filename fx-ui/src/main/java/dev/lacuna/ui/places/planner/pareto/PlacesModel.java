package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.allocator.packing.PlacedTable;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** Places for the blocks of a table of lifetimes: how high they get, how near that is to the least, and whether it fits. */
final class PlacesModel {
    private static final Texts TEXTS = Texts.of("planner");

    private final ReadOnlyObjectWrapper<Optional<PlacedTable>> placed = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final StringProperty limit = new SimpleStringProperty("");

    /** The open table. */
    ReadOnlyObjectProperty<Optional<PlacedTable>> placedProperty() {
        return placed.getReadOnlyProperty();
    }

    /** What the blocks should fit into, as it is typed. */
    StringProperty limitProperty() {
        return limit;
    }

    void show(Optional<PlacedTable> table) {
        placed.set(table);
    }

    /** What came of it: blocks, height, and how near that is to the least there can be. */
    List<String> facts() {
        List<String> facts = new ArrayList<>();
        placed.get().ifPresent(table -> {
            facts.add(TEXTS.get("places.blocks", Integer.toString(table.blocks())));
            facts.add(
                    TEXTS.get("places.height", ByteText.of(table.heightBytes()), ByteText.exact(table.heightBytes())));
            facts.add(TEXTS.get("places.bound", ByteText.of(table.boundBytes()), ByteText.exact(table.boundBytes())));
            facts.add(
                    table.proven()
                            ? TEXTS.get("places.proven")
                            : TEXTS.get("places.above", String.format(Locale.ROOT, "%.2f %%", 100 * table.above())));
        });
        return facts;
    }

    /** Whether the plan fits into what was typed; empty while nothing was. */
    StringBinding verdict() {
        return Bindings.createStringBinding(this::fits, placed, limit, Texts.wordingProperty());
    }

    /** Why what was typed is no size; empty where it is one. */
    StringBinding fault() {
        return Bindings.createStringBinding(
                () -> limit.get().isBlank() || bytes().isPresent() ? "" : TEXTS.get("places.limit.fault"),
                limit,
                Texts.wordingProperty());
    }

    private String fits() {
        OptionalLong bytes = bytes();
        if (placed.get().isEmpty() || bytes.isEmpty()) {
            return "";
        }
        PlacedTable table = placed.get().get();
        String size = ByteText.of(bytes.getAsLong());
        if (table.fits(bytes.getAsLong())) {
            return TEXTS.get("places.fits", size, ByteText.of(bytes.getAsLong() - table.heightBytes()));
        }
        // Between the bound and this plan a lower one may exist: only below the bound it is certain that none fits.
        return TEXTS.get(table.boundBytes() > bytes.getAsLong() ? "places.never" : "places.unfit", size);
    }

    private OptionalLong bytes() {
        try {
            long bytes = ByteSize.parse(limit.get().strip().replace(" ", ""));
            return bytes > 0 ? OptionalLong.of(bytes) : OptionalLong.empty();
        } catch (IllegalArgumentException noSize) {
            return OptionalLong.empty();
        }
    }
}

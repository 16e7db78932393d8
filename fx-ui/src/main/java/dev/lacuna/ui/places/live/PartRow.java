package dev.lacuna.ui.places.live;

import dev.lacuna.ui.parts.ChoosableRow;
import dev.lacuna.ui.text.Texts;

/** The ground of a row that stands for a part of the memory: chosen, it makes that part stand out everywhere. */
final class PartRow extends ChoosableRow {
    private static final Texts TEXTS = Texts.of("live");

    private final MemoryPart part;

    PartRow(LiveViewModel model, MemoryPart part, String nameKey) {
        super(() -> model.choose(new LiveSelection.Part(part)));
        this.part = part;
        accessibleTextProperty().bind(TEXTS.bind(nameKey));
        model.selectionProperty().addListener((property, before, now) -> show(isMeant(now)));
        show(isMeant(model.selectionProperty().get()));
    }

    private boolean isMeant(LiveSelection selection) {
        return selection instanceof LiveSelection.Part same && same.part() == part
                || selection instanceof LiveSelection.Piece piece && piece.part() == part;
    }
}

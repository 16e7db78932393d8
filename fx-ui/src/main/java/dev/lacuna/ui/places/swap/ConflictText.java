package dev.lacuna.ui.places.swap;

import dev.lacuna.core.planning.swap.conflict.SwapConflict;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javafx.scene.control.Label;

/** Says which settings of the trainer meet what is to be done, before it is done. */
final class ConflictText {
    private ConflictText() {}

    /** Writes them into this label; without any it takes no room. */
    static void show(Label label, List<SwapConflict> conflicts) {
        Locale locale = Texts.locale();
        String words = conflicts.stream()
                .map(each -> each.explanation(locale) + " " + each.remedy(locale))
                .collect(Collectors.joining("\n"));
        if (!label.getText().equals(words)) {
            label.setText(words);
        }
        label.setVisible(!words.isEmpty());
        label.setManaged(!words.isEmpty());
    }
}

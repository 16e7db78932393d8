package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.core.history.model.MemoryAtMoment;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;

/** What the colours mean, and each one's bytes at the moment that is looked at or pointed to. */
final class SeriesLegend extends FlowPane {
    private static final Texts TEXTS = Texts.of("snapshot");
    private static final List<String> SERIES =
            List.of("reserved", "allocated", "rounding", "releasable", "split", "pending");

    private final List<Label> values = new ArrayList<>();
    private final List<Tooltip> exact = new ArrayList<>();

    SeriesLegend() {
        getStyleClass().add("timeline-legend");
        for (String series : SERIES) {
            Label name = Labels.of(TEXTS.bind("series." + series), "muted");
            Label value = new Label();
            value.getStyleClass().add("legend-value");
            value.setId("timeline-" + series);
            value.setMinWidth(Region.USE_PREF_SIZE);
            HBox entry = Legend.entry(Legend.square(series), name, value);
            Tooltip tooltip = new Tooltip();
            Tooltip.install(entry, tooltip);
            values.add(value);
            exact.add(tooltip);
            getChildren().add(entry);
        }
    }

    void show(Optional<MemoryAtMoment> memory) {
        long[] bytes = memory.map(m -> new long[] {
                    m.reserved(),
                    m.allocated(),
                    m.rounding(),
                    m.gap().releasableBytes(),
                    m.gap().splitBytes(),
                    m.gap().pendingBytes()
                })
                .orElse(new long[SERIES.size()]);
        for (int i = 0; i < bytes.length; i++) {
            values.get(i).setText(memory.isEmpty() ? "" : ByteText.of(bytes[i]));
            exact.get(i).setText(TEXTS.get("series." + SERIES.get(i) + ".what") + "\n" + ByteText.exact(bytes[i]));
        }
    }
}

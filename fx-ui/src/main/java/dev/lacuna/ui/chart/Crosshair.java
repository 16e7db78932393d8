package dev.lacuna.ui.chart;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import javafx.scene.control.Label;

/** The vertical line under the pointer with the exact values of that moment. */
final class Crosshair extends PointerLine {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final List<String> ROWS =
            List.of("reserved", "allocated", "allocated-peak", "requested", "gap-then", "limit");

    private final Texts texts;
    private final Label when = new Label();
    private final List<Label> values = new ArrayList<>();

    Crosshair(Texts texts) {
        this.texts = texts;
        when.getStyleClass().add("crosshair-time");
        card.add(when, 0, 0, 3, 1);
        for (int row = 0; row < ROWS.size(); row++) {
            Label name = new Label();
            name.textProperty().bind(texts.bind("series." + ROWS.get(row)));
            name.getStyleClass().add("crosshair-name");
            Label value = new Label();
            value.getStyleClass().add("crosshair-value");
            values.add(value);
            card.addRow(row + 1, Legend.square(ROWS.get(row).replace("gap-then", "gap")), name, value);
        }
    }

    /** Shows a moment's values beside the line at x, on the side where there is room. */
    void show(Reading reading, double x, PlotArea plot, TimelineSource source) {
        String clock = source.wallClockMs(reading.timeNs()).stream()
                .mapToObj(ms -> CLOCK.format(Instant.ofEpochMilli(ms).atZone(ZoneId.systemDefault())))
                .findFirst()
                .orElse("");
        when.setText(texts.get("chart.reading", clock, Long.toString(reading.step())));
        long[] bytes = {
            reading.reserved(),
            reading.allocated(),
            reading.allocatedPeak(),
            reading.requested(),
            reading.gapNow(),
            reading.limit()
        };
        for (int i = 0; i < bytes.length; i++) {
            values.get(i).setText(ByteText.of(bytes[i]) + "  " + ByteText.exact(bytes[i]));
        }
        show(x, plot);
    }
}

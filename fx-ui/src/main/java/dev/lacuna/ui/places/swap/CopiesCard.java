package dev.lacuna.ui.places.swap;

import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.Sheet;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import java.util.Optional;
import javafx.css.PseudoClass;
import javafx.scene.control.Label;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** What each step copied: hidden behind the computation, or waited for; with the sentence that says so. */
final class CopiesCard extends VBox {
    private static final Texts TEXTS = SwapText.TEXTS;
    private static final PseudoClass BAD = PseudoClass.getPseudoClass("bad");
    private static final double BAR = 8;

    private final SwapViewModel model;
    private final StepFrames frames;
    private final BarsChart chart;
    private final Label sentence = new Label();
    private final Label events = new Label();

    CopiesCard(SwapViewModel model) {
        this.model = model;
        this.frames = new StepFrames(model.history());
        this.chart = new BarsChart(
                List.of(Painting.Tone.HIDDEN, Painting.Tone.EXPOSED), Painting.Tone.GROUND, CopiesCard::words);
        chart.setId("swap-copies");
        sentence.setId("swap-sentence");
        sentence.setWrapText(true);
        sentence.setMinHeight(Region.USE_PREF_SIZE);
        events.setId("swap-events");
        events.getStyleClass().addAll("muted", "small");
        events.setWrapText(true);
        events.setMinHeight(Region.USE_PREF_SIZE);
        Legend legend =
                new Legend(LinkCard.sign("hidden", "copies.hidden"), LinkCard.sign("exposed", "copies.exposed"));
        VBox.setVgrow(chart, Priority.ALWAYS);
        ChartMenu.install(this, "copies", this::table);
        getStyleClass().addAll("card", "swap-chart-card");
        getChildren().addAll(Labels.titled(TEXTS.bind("copies.title")), sentence, legend, chart, events);
    }

    /** Shows what was counted up to now. */
    void refresh() {
        Optional<StepCopies> copies = StepCopies.of(model.history());
        sentence.setText(copies.map(StepCopies::sentence).orElseGet(() -> TEXTS.get("copies.none.yet")));
        chart.show(frames.newest(chart.room(BAR)), TEXTS.get(copies.isEmpty() ? "copies.no.steps" : "copies.quiet"));
        model.swap().ifPresent(this::showEvents);
    }

    /** Steps from the oldest that is shown. */
    private Table table() {
        Sheet sheet = Sheet.of("#hidden_ms", "#exposed_ms");
        chart.bars().forEach(bar -> sheet.row(bar.up()));
        return sheet.table();
    }

    private void showEvents(SwapCounters now) {
        String words = now.rescues() == 0
                ? TEXTS.get("events.no.rescues")
                : TEXTS.get("events.rescues", now.rescues(), ByteText.of(now.rescuedBytes()));
        if (now.hostRefusals() > 0) {
            words += " " + TEXTS.get("events.refusals", now.hostRefusals());
        }
        if (now.copyFailures() > 0) {
            words += " " + TEXTS.get("events.failures", now.copyFailures());
        }
        if (!events.getText().equals(words)) {
            events.setText(words);
        }
        events.pseudoClassStateChanged(BAD, now.hostRefusals() > 0 || now.copyFailures() > 0);
    }

    private static String words(BarsFrame.Bar bar) {
        double hidden = bar.up().get(0) * 1e6;
        double exposed = bar.up().get(1) * 1e6;
        return TEXTS.get("copies.hover", SwapText.milliseconds(hidden), SwapText.milliseconds(exposed));
    }
}

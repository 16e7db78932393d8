package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SwitchTime;
import dev.lacuna.ui.parts.Segments;
import dev.lacuna.ui.parts.SteadyLabel;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** By whose rules lifetimes are told apart, and what the other's would come to. */
final class RulesChoice extends VBox {
    private static final Texts TEXTS = Texts.of("live");

    private final LiveViewModel live;
    private final Segments<PoolPolicy> choice;
    private final Label effect = new SteadyLabel(3);

    RulesChoice(LiveViewModel live) {
        super(2);
        this.live = live;
        ControlModel model = live.control();
        choice = new Segments<>(List.of(PoolPolicy.values()), model::choosePolicy);
        for (PoolPolicy policy : PoolPolicy.values()) {
            String name = "control.rules." + policy.label();
            choice.name(policy, "live-rules-" + policy.label(), TEXTS.bind(name));
            choice.button(policy).accessibleTextProperty().bind(TEXTS.bind(name + ".spoken"));
        }
        choice.disableProperty().bind(model.closedBinding());
        effect.setId("live-rules-effect");
        effect.getStyleClass().addAll("muted", "small");
        Label title = Labels.of(TEXTS.bind("control.rules"));
        HBox.setHgrow(title, Priority.ALWAYS);
        title.setMaxWidth(Double.MAX_VALUE);
        HBox line = new HBox(8, title, choice);
        line.setAlignment(Pos.CENTER_LEFT);
        getChildren().addAll(line, effect);
    }

    /** The rules of the other of the two. */
    void other() {
        live.counters()
                .ifPresent(now ->
                        live.control().choosePolicy(RulesPreview.ofPolicy(now).policy()));
    }

    /** Shows what holds, or is asked for while the answer is awaited. */
    void refresh(MemoryCounters now) {
        boolean stock =
                live.processProperty().get().filter(TrainingProcess::isStock).isPresent();
        setVisible(!stock);
        setManaged(!stock);
        choice.show(
                live.control().statusProperty().get() instanceof ControlStatus.Pending pending
                        ? pending.job().change().policy().orElse(now.policy())
                        : now.policy());
        effect.setText(live.control().isOver() ? "" : words(RulesPreview.ofPolicy(now)));
    }

    private static String words(RulesPreview other) {
        String what = TEXTS.get("control.rules.effect." + other.policy().label());
        return what + (other.atOnce() ? givenBack(other) : TEXTS.get("control.rules.later"));
    }

    /** What goes back by the end of the step, in a sentence that follows another. */
    static String givenBack(RulesPreview preview) {
        return preview.givesBackBytes().isPresent()
                ? TEXTS.get(
                                "control.gives",
                                ByteText.of(preview.givesBackBytes().getAsLong()))
                        + taken(preview)
                : TEXTS.get("control.gives.untold");
    }

    private static String taken(RulesPreview preview) {
        return preview.takes()
                .map(time -> TEXTS.get(
                        time.mostNs().isPresent() ? "control.takes" : "control.takes.wait",
                        time.milliseconds((least, most) -> TEXTS.get("control.takes.range", least, most))))
                .orElseGet(() -> TEXTS.get("control.takes.unknown"));
    }

    /** What follows where what is there is to move, too. */
    static String moved(RulesPreview preview) {
        String bytes = ByteText.of(preview.movesMostBytes());
        return preview.movingMostNs().isPresent()
                ? TEXTS.get(
                        "control.takes.compaction",
                        bytes,
                        SwitchTime.milliseconds(preview.movingMostNs().getAsLong()))
                : TEXTS.get("control.takes.compaction.unknown", bytes);
    }
}

package dev.lacuna.ui.guard;

import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Overlay;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import javafx.css.PseudoClass;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** What the guard refused, its numbers, and the ways on. There only while that is how the last change went. */
public final class RefusalCard extends VBox {
    private static final Texts TEXTS = RefusalText.TEXTS;
    private static final PseudoClass EXPIRED = PseudoClass.getPseudoClass("expired");

    /**
     * The ways on.
     *
     * @param setLowestSafe sets the lowest safe fraction
     * @param askToForce the question whether to insist, where that can be asked
     * @param askAgain asks for the same once more
     */
    public record Ways(Runnable setLowestSafe, Supplier<Optional<ForceQuestion>> askToForce, Runnable askAgain) {}

    /**
     * A refusal as it is shown.
     *
     * @param refusal what the guard told
     * @param asked names what was refused
     * @param ofFraction whether that was a fraction: then the lowest safe one is set in its place, else before it
     * @param totalBytes capacity of the device
     * @param closed whether nothing can be asked now
     */
    public record Shown(GuardRefusal refusal, String asked, boolean ofFraction, long totalBytes, boolean closed) {}

    private final Label title = line("strong");
    private final Label lowest = line("small");
    private final Label sureness = line("small");
    private final Label expiry = line("strong", "small");
    private final Button safe = new Button();
    private final Hyperlink force = new Hyperlink();
    private final Button again = new Button();

    /** @param id what its parts' ids begin with */
    public RefusalCard(String id, Overlay overlay, Ways ways) {
        getStyleClass().add("refusal");
        setId(id + "-refusal");
        title.setId(id + "-refusal-title");
        lowest.setId(id + "-refusal-lowest");
        sureness.setId(id + "-refusal-sure");
        expiry.setId(id + "-refusal-expired");
        safe.setId(id + "-safe");
        safe.setOnAction(e -> ways.setLowestSafe().run());
        force.setId(id + "-force");
        force.getStyleClass().addAll("small", "force");
        force.textProperty().bind(TEXTS.bind("force"));
        force.setOnAction(e -> ways.askToForce().get().ifPresent(question -> ForceDialog.show(overlay, question)));
        again.setId(id + "-again");
        again.getStyleClass().add("small");
        again.textProperty().bind(TEXTS.bind("again"));
        again.setOnAction(e -> ways.askAgain().run());
        FlowPane actions = new FlowPane(10, 4, safe, force, again);
        actions.getStyleClass().add("refusal-actions");
        getChildren().addAll(title, lowest, sureness, expiry, actions);
        visible(this, false);
    }

    /** Shows this refusal, or none. */
    public void show(Optional<Shown> shown) {
        visible(this, shown.isPresent());
        shown.ifPresent(this::show);
    }

    private void show(Shown now) {
        GuardRefusal refusal = now.refusal();
        boolean holds = refusal.holds();
        pseudoClassStateChanged(EXPIRED, !holds);
        title.setText(TEXTS.get("title", now.asked()));
        lowest.setText(refusal.figures().map(RefusalText::lowest).orElseGet(() -> TEXTS.get("lowest.untold")));
        sureness.setText(refusal.figures().map(RefusalText::sureness).orElse(""));
        expiry.setText(RefusalText.expiry(refusal));
        visible(sureness, refusal.figures().isPresent());
        visible(expiry, !holds);
        visible(safe, holds && refusal.lowestSafe().isPresent());
        refusal.lowestSafe().ifPresent(fraction -> showSafe(fraction, now));
        visible(force, holds);
        visible(
                again,
                !holds && refusal.expired().filter(why -> why == Expiry.ENDED).isEmpty());
        safe.setDisable(now.closed());
        force.setDisable(now.closed());
        again.setDisable(now.closed());
    }

    private void showSafe(double fraction, Shown now) {
        String value = String.format(Locale.ROOT, "%.2f", fraction);
        String cap = ByteText.of((long) (fraction * now.totalBytes()));
        safe.setText(TEXTS.get(now.ofFraction() ? "safe" : "safe.first", value, cap));
    }

    private static Label line(String... styles) {
        Label label = Labels.inAnyScript(new Label());
        label.getStyleClass().addAll(styles);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }

    private static void visible(Region node, boolean visible) {
        node.setVisible(visible);
        node.setManaged(visible);
    }
}

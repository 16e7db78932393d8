package dev.lacuna.ui.places.planner.pareto;

import atlantafx.base.theme.Styles;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.parts.FieldFault;
import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.io.File;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The chosen plan: what it costs, what it does with each layer, and how to set it. */
final class PlanCard extends VBox {
    private static final Texts TEXTS = Texts.of("planner");

    /** 1 to 9999 model chunks. */
    private static final String CHUNKS = "[1-9]\\d{0,3}";

    private final ParetoViewModel model;
    private final VBox facts = new VBox();
    private final VBox outputs = new VBox();

    PlanCard(ParetoViewModel model) {
        this.model = model;
        setId("plan-card");
        getStyleClass().addAll("card", "plan-card");
        facts.getStyleClass().add("plan-facts");
        outputs.getStyleClass().add("plan-outputs");
        ScheduleStrip strip = new ScheduleStrip(model);
        VBox schedule = new VBox(Labels.of(TEXTS.bind("plan.schedule"), "group-title"), strip, legend());
        schedule.getStyleClass().add("plan-output");
        schedule.visibleProperty().bind(strip.visibleProperty());
        schedule.managedProperty().bind(strip.visibleProperty());
        VBox body = new VBox(facts, schedule, outputs);
        body.getStyleClass().add("plan-body");
        ScrollPane scroll = new ScrollPane(body);
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.getStyleClass().add("edge-to-edge");
        VBox.setVgrow(scroll, Priority.ALWAYS);
        getChildren().addAll(Labels.titled(TEXTS.bind("plan.chosen")), scroll);
        model.chosenProperty().addListener(any -> show());
        Texts.wordingProperty().addListener(any -> show());
        show();
    }

    private static Node legend() {
        Label legend = Labels.of(TEXTS.bind("plan.legend"), "muted", "small");
        legend.setWrapText(true);
        legend.setMinHeight(Region.USE_PREF_SIZE);
        return legend;
    }

    /** Outputs depend on the file in the tab beside: they are made anew whenever this tab comes to the front. */
    void show() {
        facts.getChildren().clear();
        outputs.getChildren().clear();
        Optional<PlanPoint.Planned> chosen = model.chosenProperty().get();
        Optional<PlanningProfile> profile = model.profileProperty().get();
        if (chosen.isEmpty() || profile.isEmpty()) {
            facts.getChildren().add(wrapped(TEXTS.get("plan.none"), "muted"));
            return;
        }
        PlanPoint.Planned plan = chosen.get();
        Label method = wrapped(PlanText.title(plan.method()), "strong");
        method.setId("plan-method");
        Label needs =
                wrapped(TEXTS.get("plan.needs", ByteText.of(plan.peakBytes()), PlanText.overhead(plan.overhead())));
        needs.setTooltip(new Tooltip(ByteText.exact(plan.peakBytes())));
        needs.setId("plan-needs");
        Label time = wrapped(
                TEXTS.get(
                        "plan.time",
                        PlanText.time(profile.get(), plan.time()),
                        PlanText.time(profile.get(), profile.get().plainTime())),
                "muted");
        facts.getChildren().addAll(method, needs, time, wrapped(PlanText.bound(plan), "muted"));
        model.outputs().forEach(output -> outputs.getChildren().add(output(output)));
    }

    private Node output(PlanOutput output) {
        String name = output.kind().name().toLowerCase(Locale.ROOT);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox head = new HBox(Labels.of(TEXTS.bind("plan.output." + name), "group-title"), space);
        head.getStyleClass().add("buttons");
        VBox box = new VBox(head);
        box.getStyleClass().add("plan-output");
        if (output.kind() == PlanOutput.Kind.MEGATRON) {
            box.getChildren().add(chunks());
        }
        if (!output.text().isEmpty()) {
            head.getChildren()
                    .addAll(
                            small("plan-copy-" + name, "fth-copy", "copy", () -> Copying.copy(output.text())),
                            small("plan-save-" + name, "fth-save", "mf.save.as", () -> save(output)));
            if (output.kind() == PlanOutput.Kind.POLICY) {
                box.getChildren().add(wrapped(output.text(), "mono", "small"));
                box.getChildren().add(apply(output.text()));
            } else if (output.kind() == PlanOutput.Kind.MEGATRON) {
                box.getChildren().add(wrapped(output.text(), "mono", "small"));
            }
        }
        if (!output.remark().isEmpty()) {
            box.getChildren().add(wrapped(output.remark(), "muted", "small"));
        }
        return box;
    }

    private Node chunks() {
        TextField chunks = new TextField(Integer.toString(model.chunksProperty().get()));
        chunks.setId("plan-chunks");
        chunks.setPrefColumnCount(3);
        Tooltip tip = new Tooltip();
        tip.textProperty().bind(TEXTS.bind("plan.chunks.tip"));
        chunks.setTooltip(tip);
        chunks.textProperty().addListener((property, before, now) -> {
            if (now.strip().matches(CHUNKS)) {
                model.chunksProperty().set(Integer.parseInt(now.strip()));
                show();
                lookup("#plan-chunks").requestFocus();
                ((TextField) lookup("#plan-chunks")).end();
            }
        });
        Label title = Labels.of(TEXTS.bind("plan.chunks"), "muted", "small");
        title.setLabelFor(chunks);
        HBox row = new HBox(title, chunks);
        row.getStyleClass().add("buttons");
        StringBinding fault = Bindings.createStringBinding(
                () -> chunks.getText().strip().matches(CHUNKS) ? "" : TEXTS.get("plan.chunks.fault"),
                chunks.textProperty(),
                Texts.wordingProperty());
        return new VBox(4, row, new FieldFault(chunks, fault));
    }

    private Node apply(String letters) {
        Button apply = new Button(null, new FontIcon("fth-zap"));
        apply.setId("plan-apply");
        apply.getStyleClass().add(Styles.ACCENT);
        apply.textProperty().bind(TEXTS.bind("plan.apply"));
        apply.setMinWidth(Region.USE_PREF_SIZE);
        apply.setDisable(!(model.live().available().getValue()
                && model.profileProperty().get().orElseThrow() instanceof PlanningProfile.Layers));
        apply.setOnAction(e -> model.apply(LayerPolicy.parse(letters)));
        return apply;
    }

    private void save(PlanOutput output) {
        FileDialogs.save(
                        this,
                        TEXTS.get("mf.save.as"),
                        "lacuna-plan" + output.kind().ending())
                .map(File::getAbsolutePath)
                .ifPresent(path -> model.save(path, output.text()));
    }

    private static Button small(String id, String icon, String key, Runnable action) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId(id);
        button.getStyleClass().addAll(Styles.BUTTON_ICON, Styles.FLAT, Styles.SMALL);
        button.accessibleTextProperty().bind(TEXTS.bind(key));
        Tooltip tip = new Tooltip();
        tip.textProperty().bind(TEXTS.bind(key));
        button.setTooltip(tip);
        button.setOnAction(e -> action.run());
        return button;
    }

    private static Label wrapped(String text, String... styles) {
        Label label = Labels.inAnyScript(new Label(text));
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        label.getStyleClass().addAll(styles);
        return label;
    }
}

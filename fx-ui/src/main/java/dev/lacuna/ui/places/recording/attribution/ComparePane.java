package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.history.compare.Comparison;
import dev.lacuna.core.history.compare.Held;
import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.places.recording.focus.RecordingFiles;
import dev.lacuna.ui.places.recording.focus.RecordingPane;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.WindowContext;
import java.io.File;
import java.util.List;
import java.util.function.Function;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The tab of comparison: the moment against another one, or against another file; by stack, size, segment and block. */
public final class ComparePane implements RecordingPane {
    private static final Texts TEXTS = Texts.of("who");

    /** What the rows are. */
    enum By {
        STACK,
        SIZE,
        SEGMENT,
        BLOCK
    }

    private final CompareViewModel model;
    private final ObjectProperty<By> by = new SimpleObjectProperty<>(By.STACK);
    private final VBox root = new VBox();
    private final StringBinding title = TEXTS.bind("compare");

    public ComparePane(RecordingViewModel snapshot, RecordingFiles files, WindowContext context) {
        model = new CompareViewModel(snapshot, files, context.executor());
        DifferenceTable differences = new DifferenceTable(model, by);
        LeakFinder leaks = new LeakFinder(model);
        differences.visibleProperty().bind(by.isNotEqualTo(By.BLOCK));
        leaks.visibleProperty().bind(by.isEqualTo(By.BLOCK));
        StackPane body = new StackPane(differences, leaks);
        VBox.setVgrow(body, Priority.ALWAYS);
        Label fault = Labels.inAnyScript(Labels.of(model.faultProperty(), "field-fault"));
        fault.setId("who-compare-fault");
        fault.setWrapText(true);
        fault.visibleProperty().bind(model.faultProperty().isNotEmpty());
        fault.managedProperty().bind(fault.visibleProperty());
        root.setId("who-compare-pane");
        root.getStyleClass().add("who-pane");
        root.getChildren().addAll(tools(), fault, sums(), body);
        WhenShown.bind(root, model.shownProperty());
    }

    @Override
    public String id() {
        return "compare";
    }

    @Override
    public StringBinding title() {
        return title;
    }

    @Override
    public Node root() {
        return root;
    }

    private Node tools() {
        Button mark = button("compare.mark", "fth-bookmark", "who-compare-mark");
        mark.setOnAction(e -> model.mark());
        Button file = button("compare.file", "fth-folder", "who-compare-file");
        file.setOnAction(e -> choose());
        file.disableProperty().bind(model.readingProperty());
        ToggleButton swap = new ToggleButton(null, new FontIcon("fth-repeat"));
        swap.setId("who-compare-swap");
        swap.textProperty().bind(TEXTS.bind("compare.swap"));
        swap.setMinWidth(Region.USE_PREF_SIZE);
        swap.getStyleClass().add("small");
        swap.selectedProperty().bindBidirectional(model.swappedProperty());
        Button forget = button("compare.forget", "fth-x", "who-compare-forget");
        forget.setOnAction(e -> model.forget());
        FlowPane tools = new FlowPane(mark, file, swap, forget, Choices.of("by.", List.of(By.values()), by));
        tools.getStyleClass().add("who-tools");
        return tools;
    }

    private static Button button(String key, String icon, String id) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId(id);
        button.textProperty().bind(TEXTS.bind(key));
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.getStyleClass().add("small");
        return button;
    }

    /** Both sides by name, and what each has allocated and reserved. */
    private Node sums() {
        GridPane grid = new GridPane();
        grid.setId("who-compare-sums");
        grid.getStyleClass().add("compare-sums");
        grid.add(text(c -> TEXTS.get("compare.base")), 0, 0);
        grid.add(Labels.inAnyScript(text(c -> c.a().name())), 1, 0);
        grid.add(
                text(c -> TEXTS.get(
                        "compare.allocated",
                        bytes(c.allocated().a()),
                        bytes(c.reserved().a()))),
                2,
                0);
        grid.add(text(c -> TEXTS.get("compare.other")), 0, 1);
        grid.add(Labels.inAnyScript(text(c -> c.b().name())), 1, 1);
        grid.add(
                text(c -> TEXTS.get(
                        "compare.allocated",
                        bytes(c.allocated().b()),
                        bytes(c.reserved().b()))),
                2,
                1);
        Label change = text(c -> TEXTS.get(
                "compare.change",
                signed(c.allocated().bytes()),
                signed(c.reserved().bytes())));
        change.setId("who-compare-change");
        change.getStyleClass().add("strong");
        grid.add(change, 2, 2);
        return grid;
    }

    private Label text(Function<Comparison, String> words) {
        Label label = Labels.of(
                Bindings.createStringBinding(
                        () -> model.comparisonProperty()
                                .get()
                                .map(c -> words.apply(c))
                                .orElse(""),
                        model.comparisonProperty(),
                        Texts.wordingProperty()),
                "small");
        label.setMaxWidth(280);
        return label;
    }

    private static String bytes(Held held) {
        return ByteText.of(held.bytes());
    }

    /** With a sign, growth too. */
    static String signed(long bytes) {
        return (bytes > 0 ? "+" : "") + ByteText.of(bytes);
    }

    /** Takes another file as the base; for the dialog, and for tests that cannot answer one. */
    public void compareWith(String path) {
        model.open(path);
    }

    private void choose() {
        FileDialogs.open(root, TEXTS.get("compare.file"))
                .map(File::getAbsolutePath)
                .ifPresent(this::compareWith);
    }
}

package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.ui.parts.Explanation;
import dev.lacuna.ui.places.recording.attribution.BlocksViewModel.Scope;
import dev.lacuna.ui.places.recording.focus.RecordingPane;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.WindowContext;
import java.util.List;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.controlsfx.control.textfield.TextFields;
import org.kordamp.ikonli.javafx.FontIcon;

/** The tab of blocks: the largest, or those that a search by address, stack, size or stream finds. */
public final class BlocksPane implements RecordingPane {
    private static final Texts TEXTS = Texts.of("who");

    private final BlocksViewModel model;
    private final BlockTableView table;
    private final VBox root = new VBox();
    private final StringBinding title = TEXTS.bind("blocks");

    public BlocksPane(RecordingViewModel snapshot, WindowContext context) {
        model = new BlocksViewModel(snapshot, context.executor());
        table = new BlockTableView(model, a -> model.select(a));
        VBox.setVgrow(table, Priority.ALWAYS);
        root.setId("who-blocks-pane");
        root.getStyleClass().add("who-pane");
        root.getChildren().addAll(tools(), table);
        WhenShown.bind(root, model.shownProperty());
        model.foundProperty().addListener((property, before, now) -> {
            table.show(now);
            follow(model.focus().selectionProperty().get());
        });
        model.focus().selectionProperty().addListener((property, before, now) -> follow(now));
    }

    @Override
    public String id() {
        return "blocks";
    }

    @Override
    public StringBinding title() {
        return title;
    }

    @Override
    public Node root() {
        return root;
    }

    /** The table, for what leaves the program. */
    BlockTableView table() {
        return table;
    }

    private void follow(RecordingSelection selection) {
        table.select(selection instanceof RecordingSelection.Allocation allocation ? allocation.id() : -1);
    }

    private Node tools() {
        TextField search = TextFields.createClearableTextField();
        search.setId("who-search");
        search.promptTextProperty().bind(TEXTS.bind("search.prompt"));
        search.textProperty().bindBidirectional(model.searchProperty());
        search.setPrefColumnCount(24);
        search.setTooltip(Explanation.hover(TEXTS.bind("search.how")));
        Label sums = Labels.of(
                Bindings.createStringBinding(this::sums, model.foundProperty(), Texts.wordingProperty()),
                "muted",
                "small");
        sums.setId("who-blocks-sums");
        FlowPane tools = new FlowPane(
                search, Choices.of("scope.", List.of(Scope.values()), model.scopeProperty()), narrowed(), sums);
        tools.getStyleClass().add("who-tools");
        return tools;
    }

    /** Which selection narrows the table, with a button that takes it back. */
    private Node narrowed() {
        Label what = Labels.of(
                Bindings.createStringBinding(this::filter, model.filterProperty(), Texts.wordingProperty()), "small");
        Button widen = new Button(null, new FontIcon("fth-x"));
        widen.setId("who-widen");
        widen.getStyleClass().addAll("button-icon", "flat", "small");
        widen.setOnAction(e -> model.widen());
        HBox chip = new HBox(what, widen);
        chip.setId("who-narrowed");
        chip.getStyleClass().addAll("chip", "narrowed");
        chip.visibleProperty().bind(model.filterProperty().isNotEqualTo(RecordingSelection.NONE));
        chip.managedProperty().bind(chip.visibleProperty());
        return chip;
    }

    private String filter() {
        RecordingSelection selection = model.filterProperty().get();
        if (selection instanceof RecordingSelection.Stack stack) {
            return TEXTS.get(
                    "narrowed.stack",
                    FrameText.brief(stack.path().get(stack.path().size() - 1)));
        }
        if (selection instanceof RecordingSelection.Segment segment) {
            return TEXTS.get("narrowed.segment", "0x" + Long.toHexString(segment.address()));
        }
        if (selection instanceof RecordingSelection.SizeClass sizes) {
            return TEXTS.get("narrowed.sizes", ByteText.of(sizes.from()), ByteText.of(sizes.to() + 1));
        }
        return "";
    }

    private String sums() {
        return model.foundProperty()
                .get()
                .map(f -> f.count() > f.largest().size()
                        ? TEXTS.get(
                                "blocks.sums.cut",
                                f.count(),
                                ByteText.of(f.bytes()),
                                f.largest().size())
                        : TEXTS.get("blocks.sums", f.count(), ByteText.of(f.bytes())))
                .orElse("");
    }
}

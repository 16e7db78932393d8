package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.diagnosis.snapshot.Findings;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.HistoryAnnotation;
import dev.lacuna.core.trace.snapshot.model.Frame;
import dev.lacuna.ui.parts.Copies;
import dev.lacuna.ui.places.recording.focus.RecordingPane;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.WindowContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.StringBinding;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** The tab of findings: what the rules found, and what to do. A click goes to the moment and selects what it is about. */
public final class FindingsPane implements RecordingPane {
    private static final Texts TEXTS = Texts.of("who");

    private final RecordingViewModel model;
    private final UiSettings settings;
    private final Newest<List<Finding>> answers;
    private final ListView<Finding> list = new ListView<>();
    private final VBox root = new VBox();
    private final StringBinding title = TEXTS.bind("findings");

    public FindingsPane(RecordingViewModel model, WindowContext context) {
        this.model = model;
        this.settings = context.settings();
        Label none = Labels.of(TEXTS.bind("findings.none"), "muted");
        Label working = Labels.of(TEXTS.bind("working"), "muted");
        answers = new Newest<>(
                context.executor(),
                found -> {
                    list.setPlaceholder(none);
                    list.getItems().setAll(found);
                },
                fault -> context.notices().fault(TEXTS.get("findings.failed"), fault));
        list.setId("who-findings");
        list.accessibleTextProperty().bind(title());
        list.getStyleClass().addAll("findings-list");
        list.setPlaceholder(working);
        list.setCellFactory(view -> new FindingCell(view));
        list.getSelectionModel().selectedItemProperty().addListener((property, before, now) -> {
            if (now != null) {
                show(now);
            }
        });
        list.setOnMouseClicked(e ->
                Optional.ofNullable(list.getSelectionModel().getSelectedItem()).ifPresent(this::show));
        Copies.install(list, this::table);
        Texts.wordingProperty().addListener((property, before, now) -> list.refresh());
        VBox.setVgrow(list, Priority.ALWAYS);
        root.setId("who-findings-pane");
        root.getStyleClass().add("who-pane");
        root.getChildren().add(list);
        model.deviceProperty().addListener((property, before, now) -> {
            answers.forget();
            list.getItems().clear();
            list.setPlaceholder(working);
            now.ifPresent(this::ask);
        });
        settings.gapThresholdBytesProperty().addListener((property, before, now) -> {
            answers.forget();
            model.deviceProperty().get().ifPresent(this::ask);
        });
    }

    @Override
    public String id() {
        return "findings";
    }

    @Override
    public StringBinding title() {
        return title;
    }

    @Override
    public Node root() {
        return root;
    }

    private void ask(DeviceHistory history) {
        List<HistoryAnnotation> annotations = FollowedDevice.annotations(model);
        Thresholds thresholds = settings.thresholds();
        answers.ask(() -> Findings.of(history, annotations, Redaction.NONE, thresholds));
    }

    private Table table() {
        List<Table.Column> columns = List.of(
                new Table.Column("id", TEXTS.get("column.rule"), false),
                new Table.Column("bytes", TEXTS.get("column.bytes"), true),
                new Table.Column("moment", TEXTS.get("column.moment"), true),
                new Table.Column("title", TEXTS.get("column.finding"), false),
                new Table.Column("text", TEXTS.get("column.text"), false));
        return new Table(
                columns,
                list.getItems().stream()
                        .map(f -> List.of(
                                Table.Cell.of(f.id()),
                                Table.Cell.bytes(f.bytes()),
                                Table.Cell.of(f.moment()),
                                Table.Cell.of(DiagnosisText.render(Texts.locale(), f.summary())),
                                Table.Cell.of(DiagnosisText.render(Texts.locale(), f.explanation()))))
                        .toList());
    }

    private void show(Finding finding) {
        model.focus().momentProperty().set(finding.moment());
        model.deviceProperty()
                .get()
                .map(history -> selection(history, finding.subject()))
                .ifPresent(s -> model.focus().selectionProperty().set(s));
    }

    private static RecordingSelection selection(DeviceHistory history, Subject subject) {
        if (subject instanceof Subject.Allocation block) {
            return new RecordingSelection.Allocation(block.allocation());
        }
        if (subject instanceof Subject.Segment segment) {
            return new RecordingSelection.Segment(segment.address());
        }
        if (subject instanceof Subject.Sizes sizes) {
            return new RecordingSelection.SizeClass(sizes.fromBytes(), sizes.toBytes());
        }
        if (subject instanceof Subject.Stack stack) {
            List<Frame> outermostFirst = new ArrayList<>(history.stacks().stack(stack.stack()));
            Collections.reverse(outermostFirst);
            return outermostFirst.isEmpty() ? RecordingSelection.NONE : new RecordingSelection.Stack(outermostFirst);
        }
        return RecordingSelection.NONE;
    }
}

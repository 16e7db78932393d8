package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.report.HtmlReport;
import dev.lacuna.core.diagnosis.report.ReportContents;
import dev.lacuna.core.diagnosis.report.ReportTables;
import dev.lacuna.core.diagnosis.report.ReportText;
import dev.lacuna.core.diagnosis.report.TableText;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.attribution.SizeHistogram;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.build.LoadRange;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.ui.parts.ExportFiles;
import dev.lacuna.ui.parts.FileDialogs;
import dev.lacuna.ui.parts.ViewPicture;
import dev.lacuna.ui.places.recording.focus.EventRange;
import dev.lacuna.ui.places.recording.focus.RecordingPane;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.WindowContext;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import javafx.scene.Node;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.layout.Region;
import org.kordamp.ikonli.javafx.FontIcon;

/** What leaves the place: a report, with names or without, a picture, and tables. Asks where to, and works off the UI thread. */
public final class ExportMenu extends MenuButton {
    private static final Texts TEXTS = Texts.of("who");

    /** Stacks in a file for programs: all that any recording has. */
    private static final int ALL_ROWS = Integer.MAX_VALUE;

    /** Moments in a file of curves: what a spreadsheet still opens. */
    private static final int MOST_MOMENTS = 100_000;

    private final RecordingViewModel model;
    private final ExportFiles files;
    private final WindowContext context;
    private final Menu pictures = new Menu();

    public ExportMenu(RecordingViewModel model, ExportFiles files, WindowContext context) {
        this.model = model;
        this.files = files;
        this.context = context;
        setId("who-export");
        setGraphic(new FontIcon("fth-share"));
        textProperty().bind(TEXTS.bind("export"));
        setMinWidth(Region.USE_PREF_SIZE);
        visibleProperty().bind(model.stateProperty().isEqualTo(RecordingViewModel.State.SHOWN));
        managedProperty().bind(visibleProperty());
        getItems()
                .addAll(
                        item("export.report", ".html", () -> report(Redaction.NONE)),
                        item("export.redacted", ".html", () -> report(redaction())),
                        pictures,
                        new SeparatorMenuItem(),
                        item("export.stacks", ".csv", this::stacks),
                        item("export.sizes", ".csv", this::sizes),
                        item("export.series", ".csv", this::series));
        pictures.setId("who-export-picture");
        pictures.textProperty().bind(TEXTS.bind("export.picture"));
        pictures.getItems().add(item("export.place", ".png", () -> ViewPicture.of(place(), files)));
    }

    /** Offers pictures of single views too; each while it can be seen. */
    public void offerPictures(List<? extends RecordingPane> panes) {
        for (RecordingPane pane : panes) {
            MenuItem item = new MenuItem();
            item.setId("who-export-picture-" + pane.id());
            item.textProperty().bind(pane.title());
            item.setOnAction(e -> ask(item.getText(), pane.id() + ".png", ViewPicture.of(pane.root(), files)));
            pictures.getItems().add(item);
            addEventHandler(ON_SHOWING, e -> item.setDisable(!ViewPicture.isShown(pane.root())));
        }
    }

    /** Writes one of the exports to a path; for the menu, and for tests that cannot answer a file dialog. */
    public void write(String path, Callable<byte[]> content) {
        context.executor()
                .execute(BackgroundTask.of(() -> {
                            files.write(path, content.call());
                            return path;
                        })
                        .onSuccess(written -> context.notices().inform(TEXTS.get("export.done", written)))
                        .onFailure(why -> context.notices().fault(TEXTS.get("export.failed"), why)));
    }

    /** The report of what is open. */
    public Callable<byte[]> report(Redaction redaction) {
        Recording recording = model.recordingProperty().get().orElseThrow();
        EventRange range = model.focus().rangeProperty().get();
        Optional<LoadRange.Events> part = model.focus().hasRange()
                ? Optional.of(new LoadRange.Events(range.from(), range.to()))
                : Optional.empty();
        Locale locale = Texts.locale();
        String program = files.program();
        Thresholds thresholds = context.settings().thresholds();
        return () -> bytes(HtmlReport.of(new ReportContents(recording, part, program, locale, redaction, thresholds)));
    }

    private static Redaction redaction() {
        return Redaction.salted(UUID.randomUUID().toString());
    }

    public Callable<byte[]> stacks() {
        DeviceHistory history = history();
        int moment = moment();
        ReportText texts = new ReportText(Texts.locale());
        return () -> bytes(TableText.csv(
                ReportTables.stacks(history, StackBytes.at(history, moment), ALL_ROWS, texts, Redaction.NONE)));
    }

    private Callable<byte[]> sizes() {
        DeviceHistory history = history();
        int moment = moment();
        ReportText texts = new ReportText(Texts.locale());
        var lifetimes = FollowedDevice.lifetimes(model, history);
        return () -> bytes(TableText.csv(ReportTables.sizes(SizeHistogram.at(history, lifetimes, moment), texts)));
    }

    private Callable<byte[]> series() {
        DeviceHistory history = history();
        return () -> bytes(TableText.csv(ReportTables.series(Timeline.of(history), MOST_MOMENTS)));
    }

    /** All that this menu is a part of, without the rail of the window. */
    private Node place() {
        Node node = this;
        while (node.getParent() != null && !node.getStyleClass().contains("place")) {
            node = node.getParent();
        }
        return node;
    }

    private DeviceHistory history() {
        return model.deviceProperty().get().orElseThrow();
    }

    private int moment() {
        return model.focus().momentProperty().get();
    }

    private MenuItem item(String key, String ending, Supplier<Callable<byte[]>> content) {
        MenuItem item = new MenuItem();
        item.setId("who-" + key.replace('.', '-'));
        item.textProperty().bind(TEXTS.bind(key));
        item.setOnAction(e -> ask(item.getText(), key.substring(key.indexOf('.') + 1) + ending, content.get()));
        return item;
    }

    /** Asks where this content is to go. */
    private void ask(String title, String name, Callable<byte[]> content) {
        FileDialogs.save(this, title, "lacuna-" + name)
                .map(File::getAbsolutePath)
                .ifPresent(path -> write(path, content));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package dev.lacuna.ui.places.diagnose;

import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.ui.session.Session;
import java.util.List;
import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/**
 * Whether the attached process printed the log that is shown: it was taken from it, or the log holds the very message that its black box
 * keeps as its last. Advice for another machine or process must not change this one. UI thread only.
 */
final class LogOrigin {
    private final Session session;
    private final ReadOnlyObjectWrapper<Optional<String>> printer = new ReadOnlyObjectWrapper<>(Optional.empty());
    private List<String> messages = List.of();
    private int shown;

    LogOrigin(Session session) {
        this.session = session;
        session.attachedProperty().addListener((property, before, now) -> recognise());
    }

    /** The process that printed it, by its name for good; empty while that is not known. */
    ReadOnlyObjectProperty<Optional<String>> printerProperty() {
        return printer.getReadOnlyProperty();
    }

    /** A log with these reports is shown, from wherever it came. */
    void show(List<OomReport> reports) {
        messages = reports.stream().map(OomReport::text).toList();
        shown++;
        printer.set(Optional.empty());
        recognise();
    }

    /** The log that is shown was taken from this process. */
    void takenFrom(TrainingProcess process) {
        printer.set(Optional.of(process.nameForGood()));
    }

    private void recognise() {
        Optional<TrainingProcess> process = session.attachedProperty().get();
        if (process.isEmpty() || messages.isEmpty()) {
            return;
        }
        int asked = shown;
        session.lastOutOfMemory(process.get()).whenComplete((message, fault) -> {
            boolean same = fault == null && message.filter(this::isAmongThem).isPresent();
            if (same && asked == shown) {
                takenFrom(process.get());
            }
        });
    }

    private boolean isAmongThem(String message) {
        return OomLogReader.read(message).reports().stream()
                .map(OomReport::text)
                .anyMatch(messages::contains);
    }
}

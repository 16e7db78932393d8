package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import dev.lacuna.ui.settings.KeptLog;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.Texts;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Supplier;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/** The logs that were diagnosed before, newest first: those of this run, and of earlier runs the texts that no file holds. UI thread only. */
final class PastLogs {
    private static final Texts TEXTS = Texts.of("diagnose");

    private final UiSettings settings;
    private final TaskExecutor executor;
    private final ObservableList<PastLog> list = FXCollections.observableArrayList();

    /** Brings back what earlier runs kept, off the UI thread. */
    PastLogs(UiSettings settings, TaskExecutor executor) {
        this.settings = settings;
        this.executor = executor;
        recall();
    }

    /** The logs, newest first. */
    ObservableList<PastLog> list() {
        return list;
    }

    /** Forgets them all, those on disk too. */
    void forget() {
        list.clear();
        settings.keptLogs().clear();
    }

    /** Puts a log in front; the same log, if it is there, moves there. A log that told nothing is not remembered. */
    void remember(Supplier<String> from, JudgedLogs judged) {
        if (judged.cases().isEmpty()) {
            return;
        }
        List<OomLog> same = judged.logs().stream().map(ReadLog::log).toList();
        list.removeIf(p -> p.logs().stream().map(ReadLog::log).toList().equals(same));
        list.add(0, new PastLog(from, LocalDateTime.now(), judged.logs(), judged.causes()));
        if (list.size() > PastLog.MOST) {
            list.remove(PastLog.MOST, list.size());
        }
    }

    /** Keeps a text that no file holds for later runs under this name, a long one as its messages alone. */
    void keep(String name, String text, JudgedLogs judged) {
        String kept = text.length() > KeptLog.LONGEST ? judged.messages() : text;
        settings.keptLogs().keep(new KeptLog(name, System.currentTimeMillis(), kept));
    }

    private void recall() {
        List<KeptLog> kept = settings.keptLogs().list();
        if (kept.isEmpty()) {
            return;
        }
        long threshold = settings.gapThresholdBytesProperty().get();
        executor.execute(BackgroundTask.of(
                        () -> kept.stream().map(log -> recalled(log, threshold)).toList())
                .onSuccess(list::addAll));
    }

    private static PastLog recalled(KeptLog log, long threshold) {
        Supplier<String> from = log.name().isEmpty() ? () -> TEXTS.get("source.pasted") : log::name;
        JudgedLogs judged = JudgedLogs.of(List.of(new ReadLog(from, OomLogReader.read(log.text()))), threshold);
        LocalDateTime at = LocalDateTime.ofInstant(Instant.ofEpochMilli(log.atMs()), ZoneId.systemDefault());
        return new PastLog(from, at, judged.logs(), judged.causes());
    }
}

package dev.lacuna.ui.window;

import dev.lacuna.ui.task.TaskExecutor;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/** The notices that stand in the corner of the window, newest last. UI thread only. */
public final class NoticeBoard implements Notices {
    /** Long enough to read a line, in either language. */
    private static final Duration SHORT = Duration.ofSeconds(5);

    /** More would cover the window; the oldest goes. */
    private static final int MAX_NOTICES = 4;

    private final TaskExecutor executor;
    private final ObservableList<Notice> notices = FXCollections.observableArrayList();
    /** Kept, because the view listens to its source weakly: one made per call would fall silent. */
    private final ObservableList<Notice> noticesView = FXCollections.unmodifiableObservableList(notices);

    public NoticeBoard(TaskExecutor executor) {
        this.executor = executor;
    }

    /** What stands there now. */
    public ObservableList<Notice> notices() {
        return noticesView;
    }

    @Override
    public void inform(String text) {
        Notice notice = new Notice(Notice.Kind.DONE, text, "", "");
        post(notice);
        executor.after(SHORT, () -> dismiss(notice));
    }

    @Override
    public void warn(String headline, String detail) {
        post(new Notice(Notice.Kind.WARNING, headline, detail, ""));
    }

    @Override
    public void fail(String headline, String detail) {
        post(new Notice(Notice.Kind.FAILED, headline, detail, ""));
    }

    /** A fault of the program: the operator sees a sentence, the stack trace is there to copy. */
    public void fault(String headline, Throwable fault) {
        StringWriter trace = new StringWriter();
        fault.printStackTrace(new PrintWriter(trace, true));
        post(new Notice(Notice.Kind.FAULT, headline, String.valueOf(fault.getMessage()), trace.toString()));
    }

    /** Takes it away. */
    public void dismiss(Notice notice) {
        // By identity: the same words may stand there twice.
        notices.removeIf(standing -> standing == notice);
    }

    /** The same words again replace the notice that stands there, so that a failing loop does not fill the window. */
    private void post(Notice notice) {
        notices.removeIf(notice::equals);
        if (notices.size() == MAX_NOTICES) {
            notices.remove(0);
        }
        notices.add(notice);
    }
}

package dev.lacuna.ui.settings;

import java.util.ArrayList;
import java.util.List;

/** Diagnosed texts that no file holds, newest first, as many as are kept. UI thread only. */
public final class KeptLogs {
    /** More than this many are no longer kept. */
    public static final int MOST = 10;

    private final List<KeptLog> logs;
    private Runnable onChange = () -> {};

    KeptLogs(List<KeptLog> stored) {
        logs = new ArrayList<>(stored.subList(0, Math.min(stored.size(), MOST)));
    }

    /** The texts of this moment. */
    public List<KeptLog> list() {
        return List.copyOf(logs);
    }

    /** Puts a text in front; the same text is kept once. */
    public void keep(KeptLog log) {
        logs.removeIf(l -> l.text().equals(log.text()));
        logs.add(0, log);
        if (logs.size() > MOST) {
            logs.remove(MOST);
        }
        onChange.run();
    }

    /** Forgets all of them. */
    public void clear() {
        logs.clear();
        onChange.run();
    }

    void onChange(Runnable action) {
        onChange = action;
    }
}

package dev.lacuna.ui.fakes;

import dev.lacuna.ui.window.Notices;
import java.util.ArrayList;
import java.util.List;

/** Keeps the headlines and reasons of what could not be done. */
public final class HeardNotices implements Notices {
    private final List<String> failures = new ArrayList<>();

    /** Each as its headline, a colon and the reason. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void inform(String text) {}

    @Override
    public void warn(String headline, String detail) {}

    @Override
    public void fail(String headline, String detail) {
        failures.add(headline + ": " + detail);
    }
}

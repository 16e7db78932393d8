package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.attribution.TellingFrame;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.trace.snapshot.model.Frame;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Locale;

/** Says which moment it is: how many events, when, and what the last of them did. */
final class MomentText {
    private static final Texts TEXTS = Texts.of("snapshot");

    private MomentText() {}

    /** One line about a moment. */
    static String of(DeviceHistory device, int moment) {
        if (device.size() == 0) {
            return TEXTS.get("timeline.moment.only");
        }
        String which = TEXTS.get("timeline.moment", moment, device.size());
        if (moment == 0) {
            return which + "  ·  " + TEXTS.get("timeline.moment.before");
        }
        int event = moment - 1;
        StringBuilder line = new StringBuilder(which);
        if (HistoryAxis.ByTime.suits(device)) {
            line.append("  ·  ").append(time(device.timeNs(event) - device.timeNs(0)));
        }
        line.append("  ·  ").append(what(device, event));
        String where = where(device, event);
        return where.isEmpty()
                ? line.toString()
                : line.append("  ·  ").append(where).toString();
    }

    /** A time since the first event, to the microsecond. */
    private static String time(long ns) {
        return String.format(Locale.ROOT, "+%.6f s", ns / 1e9);
    }

    private static String what(DeviceHistory device, int event) {
        EventKind action = device.action(event);
        return TEXTS.get("action." + action.name().toLowerCase(Locale.ROOT), ByteText.of(device.bytes(event)));
    }

    /** The line of the program that asked; that of a library where there is none. */
    private static String where(DeviceHistory device, int event) {
        int stack = device.stack(event);
        if (stack == DeviceHistory.NONE && device.allocation(event) != DeviceHistory.NONE) {
            stack = device.stackOf(device.allocation(event));
        }
        if (stack == DeviceHistory.NONE) {
            return "";
        }
        List<Frame> frames = device.stacks().stack(stack);
        return TellingFrame.of(frames)
                .map(TellingFrame::brief)
                .map(frame -> frame.file().isEmpty()
                        ? frame.function()
                        : frame.file() + ":" + frame.line() + " " + frame.function())
                .orElse("");
    }
}

package dev.lacuna.core.history.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class RecordingNoticeTest {
    private static String text(RecordingNotice.Kind kind, String detail, Locale locale) {
        return new RecordingNotice(kind, 0, detail).text(locale);
    }

    @Test
    void speaks_of_one_as_one_and_of_more_as_more() {
        assertThat(text(RecordingNotice.Kind.CONTRADICTIONS, "1", Locale.ENGLISH))
                .startsWith("Device 0: 1 entry contr");
        assertThat(text(RecordingNotice.Kind.CONTRADICTIONS, "7", Locale.ENGLISH))
                .startsWith("Device 0: 7 entries contradict what came before them")
                .endsWith(", and were passed over.");
        assertThat(text(RecordingNotice.Kind.SEGMENTS_GUESSED, "1", Locale.ENGLISH))
                .startsWith("Device 0: 1 segment from")
                .endsWith("is guessed from the blocks in it.");
        assertThat(text(RecordingNotice.Kind.LOST_EVENTS, "2", Locale.ENGLISH)).startsWith("2 events were");
        assertThat(text(RecordingNotice.Kind.LOST_EVENTS, "1", Locale.SIMPLIFIED_CHINESE))
                .startsWith("1 ");
    }
}

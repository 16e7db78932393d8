package dev.lacuna.ui.places.recording.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.history.model.HistoryAnnotation;
import java.util.List;
import org.junit.jupiter.api.Test;

class AxisMarksTest {
    @Test
    void steps_are_round_and_few() {
        assertThat(AxisMarks.step(100, 10)).isEqualTo(10);
        assertThat(AxisMarks.step(1_234_567, 10)).isEqualTo(200_000);
        assertThat(AxisMarks.step(3, 10)).isEqualTo(1);
    }

    @Test
    void times_have_the_unit_and_decimals_of_their_step() {
        assertThat(AxisMarks.time(0, 1e9, 5e9)).isEqualTo("0");
        assertThat(AxisMarks.time(1.5e9, 5e8, 5e9)).isEqualTo("1500 ms");
        assertThat(AxisMarks.time(25e9, 5e8, 25e9)).isEqualTo("25.0 s");
        assertThat(AxisMarks.time(2_000, 500, 2_500)).isEqualTo("2000 ns");
        assertThat(AxisMarks.time(8e6, 2e6, 20e6)).isEqualTo("8 ms");
    }

    @Test
    void pairs_beginnings_with_the_ends_of_their_name() {
        List<AnnotationSpans.Span> spans = AnnotationSpans.of(List.of(
                new HistoryAnnotation(0, 0, 0, "step", true),
                new HistoryAnnotation(0, 2, 0, "forward", true),
                new HistoryAnnotation(0, 5, 0, "forward", false),
                new HistoryAnnotation(0, 9, 0, "step", false),
                new HistoryAnnotation(0, 9, 0, "saved", true)));
        assertThat(spans)
                .containsExactly(
                        new AnnotationSpans.Span("step", 0, 9, 0),
                        new AnnotationSpans.Span("forward", 2, 5, 1),
                        new AnnotationSpans.Span("saved", 9, 9, 0));
    }
}

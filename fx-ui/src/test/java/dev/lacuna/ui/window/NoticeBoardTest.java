package dev.lacuna.ui.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NoticeBoardTest {
    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final NoticeBoard board = new NoticeBoard(executor);

    @Test
    void takes_good_news_away_by_itself_and_keeps_bad_news() {
        board.inform("copied");
        board.fail("not saved", "disk full");
        executor.pass(Duration.ofMinutes(1));
        assertThat(board.notices()).extracting(Notice::headline).containsExactly("not saved");
        board.dismiss(board.notices().get(0));
        assertThat(board.notices()).isEmpty();
    }

    @Test
    void does_not_let_a_failing_loop_fill_the_window() {
        IntStream.range(0, 100).forEach(i -> board.fail("not saved", "disk full"));
        assertThat(board.notices()).hasSize(1);
        IntStream.range(0, 100).forEach(i -> board.fail("not saved " + i, "disk full"));
        assertThat(board.notices()).hasSize(4);
    }

    @Test
    void keeps_the_stack_trace_of_a_fault_for_copying_only() {
        board.fault("A fault in Lacuna", new IllegalStateException("no reading"));
        assertThat(board.notices()).singleElement().satisfies(notice -> {
            assertThat(notice.detail()).isEqualTo("no reading");
            assertThat(notice.report()).contains("keeps_the_stack_trace");
        });
    }

    @Test
    void shows_a_fault_that_nobody_caught() {
        new FaultReporter(board, Runnable::run)
                .uncaughtException(Thread.currentThread(), new IllegalStateException("no reading"));
        assertThat(board.notices())
                .singleElement()
                .satisfies(notice -> assertThat(notice.kind()).isEqualTo(Notice.Kind.FAULT));
    }
}

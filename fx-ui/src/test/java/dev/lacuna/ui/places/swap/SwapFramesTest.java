package dev.lacuna.ui.places.swap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.planning.swap.adaptive.AdaptiveMethods;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SwapFramesTest {
    private static final long S = 1_000_000_000L;

    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final SwappingProcess training = new SwappingProcess(new FakeProcesses(), "python3 train.py");
    private final Session session =
            new Session(training.machine, executor, Runnable::run, process -> CompletableFuture.completedFuture(true));
    private final SwapViewModel model =
            new SwapViewModel(session, executor, AdaptiveMethods.all(), 64L << 30, Clock.systemUTC());

    @BeforeEach
    void attach() {
        session.attach(training.process());
        training.rest();
        executor.pass(Duration.ofMillis(50));
    }

    private void step(long mib, long copyMs, long stallMs) {
        training.step(mib, copyMs, stallMs);
        executor.pass(Duration.ofMillis(200));
    }

    @Test
    void draws_the_links_use_as_a_share_of_its_measured_rate() {
        for (int i = 0; i < 20; i++) {
            step(100, 40, 0);
        }
        BarsFrame frame = new LinkFrames(model.history()).newest(30 * S, 60).orElseThrow();
        // 40 of 200 ms on the link, half of them in each direction.
        List<BarsFrame.Bar> whole = frame.bars().subList(1, frame.bars().size() - 1);
        assertThat(whole).allSatisfy(bar -> {
            assertThat(bar.up().get(0)).isCloseTo(0.1, Offset.offset(0.02));
            assertThat(bar.down()).isCloseTo(0.1, Offset.offset(0.02));
        });
        assertThat(frame.top()).isBetween(0.1, 0.2);
    }

    @Test
    void has_no_picture_of_a_link_on_which_nothing_moved() {
        assertThat(new LinkFrames(model.history()).newest(30 * S, 60)).isEmpty();
    }

    @Test
    void marks_the_moment_at_which_swapping_was_switched() {
        step(10, 1, 0);
        model.control().setMode(SwapMode.ALL);
        step(10, 1, 0);
        BarsFrame frame = new LinkFrames(model.history()).newest(30 * S, 60).orElseThrow();
        assertThat(frame.signs()).extracting(BarsFrame.Sign::kind).containsExactly(SwapHistory.Kind.MODE);
    }

    @Test
    void stacks_what_was_waited_for_on_what_was_hidden() {
        step(10, 12, 0);
        step(10, 12, 2);
        BarsFrame frame = new StepFrames(model.history()).newest(40).orElseThrow();
        assertThat(frame.bars()).hasSize(1);
        assertThat(frame.bars().get(0).up()).containsExactly(10.0, 2.0);
        assertThat(frame.top()).isEqualTo(20);
    }

    @Test
    void rounds_scales_up_to_one_two_or_five() {
        assertThat(BarsFrame.roundAtLeast(0.013)).isEqualTo(0.02);
        assertThat(BarsFrame.roundAtLeast(4.9)).isEqualTo(5);
        assertThat(BarsFrame.roundAtLeast(10)).isEqualTo(10);
        assertThat(BarsFrame.roundAtLeast(51)).isEqualTo(100);
    }

    @Test
    void reads_budgets_as_people_write_them() {
        assertThat(BudgetInput.parse("12GiB")).hasValue(12L << 30);
        assertThat(BudgetInput.parse(" 1,5 GiB")).hasValue(3L << 29);
        assertThat(BudgetInput.parse("512 MiB")).hasValue(512L << 20);
        assertThat(BudgetInput.parse("2")).hasValue(2L << 30);
        assertThat(BudgetInput.parse("0")).isEmpty();
        assertThat(BudgetInput.parse("much")).isEmpty();
    }

    @Test
    void names_the_command_that_starts_a_script_so_that_it_can_swap() {
        assertThat(SwapCommand.of("/usr/bin/python3 /home/me/train.py --layers 24"))
                .isEqualTo("lacuna run --swap on -- /usr/bin/python3 /home/me/train.py --layers 24");
        assertThat(SwapCommand.of("torchrun job")).isEqualTo("lacuna run --swap on -- torchrun job");
        assertThat(SwapCommand.of("python3 -m lacuna --capacity 1GiB train.py --x"))
                .isEqualTo("lacuna run --swap on -- python3 train.py --x");
        assertThat(SwapCommand.of("")).isEqualTo("lacuna run --swap on -- python3 train.py");
    }

    @Test
    void writes_times_with_as_many_digits_as_they_need() {
        assertThat(SwapText.milliseconds(12_400_000)).isEqualTo("12.4 ms");
        assertThat(SwapText.milliseconds(50_000)).isEqualTo("0.05 ms");
        assertThat(SwapText.milliseconds(1_240e6)).isEqualTo("1,240 ms");
        assertThat(SwapText.milliseconds(12_400e6)).isEqualTo("12.4 s");
        assertThat(SwapText.rate(5.14e9)).isEqualTo("5.1 GB/s");
    }
}

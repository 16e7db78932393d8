package dev.lacuna.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.Translations;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class EndingTest {
    private static final Ending UNKNOWN = new Ending.Unknown();
    private static final Ending KERNEL = new Ending.KilledForMemory(true);

    @Test
    void a_parent_knows_the_signal_that_a_reader_does_not() {
        assertThat(Ending.ofStatus(0, UNKNOWN)).isEqualTo(new Ending.Finished());
        assertThat(Ending.ofStatus(128 + 15, UNKNOWN)).isEqualTo(new Ending.Signalled(15));
        assertThat(Ending.ofStatus(128 + 9, UNKNOWN)).isEqualTo(new Ending.Signalled(9));
        assertThat(Ending.ofStatus(3, UNKNOWN)).isEqualTo(new Ending.Exited(3));
    }

    @Test
    void what_a_reader_saw_explains_a_status_that_fits_it() {
        assertThat(Ending.ofStatus(128 + 9, KERNEL)).isEqualTo(KERNEL);
        assertThat(Ending.ofStatus(128 + 11, KERNEL)).isEqualTo(new Ending.Signalled(11));
        assertThat(Ending.ofStatus(128 + 2, new Ending.Interrupted())).isEqualTo(new Ending.Interrupted());
        assertThat(Ending.ofStatus(1, new Ending.Failed("ValueError"))).isEqualTo(new Ending.Failed("ValueError"));
        assertThat(Ending.ofStatus(7, new Ending.Failed("ValueError"))).isEqualTo(new Ending.Exited(7));
    }

    @Test
    void a_program_that_said_goodbye_chose_its_status_itself() {
        assertThat(Ending.ofStatus(137, new Ending.Finished())).isEqualTo(new Ending.Exited(137));
    }

    @Test
    void has_a_sentence_for_every_end_in_both_languages() {
        List<Ending> all = List.of(
                new Ending.Finished(),
                new Ending.Interrupted(),
                new Ending.Failed("ValueError"),
                new Ending.Exited(3),
                new Ending.Signalled(9),
                new Ending.KilledForMemory(true),
                new Ending.KilledForMemory(false),
                new Ending.ProbablyKilledForMemory(2),
                UNKNOWN);
        for (Locale locale : List.of(Locale.ENGLISH, Locale.SIMPLIFIED_CHINESE)) {
            assertThat(all.stream().map(ending -> ending.text(locale)))
                    .doesNotHaveDuplicates()
                    .noneMatch(text -> text.contains("{"));
            assertThat(Translations.of(Ending.class.getName(), locale).keySet()).hasSize(all.size());
        }
        assertThat(new Ending.Signalled(9).text(Locale.ENGLISH)).isEqualTo("Ended by signal 9 (SIGKILL).");
        assertThat(new Ending.Signalled(42).text(Locale.ENGLISH)).isEqualTo("Ended by signal 42.");
        assertThat(new Ending.ProbablyKilledForMemory(1).text(Locale.ENGLISH)).contains("1 process killed");
    }

    @Test
    void no_kill_is_called_an_end_that_the_process_told() {
        assertThat(UNKNOWN.isTold()).isFalse();
        assertThat(KERNEL.isTold()).isFalse();
        assertThat(new Ending.Signalled(9).isTold()).isFalse();
        assertThat(new Ending.Interrupted().isTold()).isTrue();
    }
}

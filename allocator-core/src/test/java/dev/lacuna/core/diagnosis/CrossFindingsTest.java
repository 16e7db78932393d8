package dev.lacuna.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.Run;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class CrossFindingsTest {
    private static String oom(int rank, String tried, String allocated) {
        return "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate " + tried + ". GPU " + rank
                + " has a total capacity of 79.11 GiB of which 1.20 GiB is free. Of the allocated memory " + allocated
                + " is allocated by PyTorch, and 3.00 GiB is reserved by PyTorch but unallocated.\n";
    }

    private static List<Finding> across(String... logs) {
        return Rules.judge(new Run(Arrays.stream(logs)
                .map(text -> {
                    OomLog log = OomLogReader.read(text);
                    return new JudgedLog("log" + Arrays.asList(logs).indexOf(text), log, new Diagnoser().diagnose(log));
                })
                .toList()));
    }

    private static String sentence(List<Finding> found, String id) {
        return found.stream()
                .filter(f -> f.id().equals(id))
                .map(f -> DiagnosisText.render(Locale.ENGLISH, f.explanation()))
                .findFirst()
                .orElse("");
    }

    @Test
    void the_first_rank_to_fail_is_the_first_in_a_log_without_times() {
        List<Finding> found = across("[rank3]: " + oom(3, "2.00 GiB", "70.00 GiB") + "[rank1]: "
                + oom(1, "2.00 GiB", "69.50 GiB") + "[rank3]: " + oom(3, "4.00 GiB", "70.00 GiB"));
        assertThat(sentence(found, "first-to-fail"))
                .startsWith("rank 3 failed first in this log (line 1), before rank 1");
    }

    @Test
    void times_decide_where_every_report_has_one() {
        List<Finding> found = across(
                "2026-01-01 10:00:05,000 [rank0]: " + oom(0, "2.00 GiB", "70.00 GiB"),
                "2026-01-01 10:00:04,500 [rank5]: " + oom(5, "3.00 GiB", "70.00 GiB"));
        assertThat(sentence(found, "first-to-fail")).startsWith("rank 5 failed first, at 2026-01-01 10:00:04.500");
        assertThat(found.get(0).subject()).isEqualTo(new Subject.Report(1, 0));
    }

    @Test
    void the_order_of_files_says_nothing() {
        assertThat(sentence(across(oom(0, "2.00 GiB", "70.00 GiB"), oom(5, "3.00 GiB", "70.00 GiB")), "first-to-fail"))
                .isEmpty();
    }

    @Test
    void ranks_that_hold_very_different_amounts_are_named() {
        String sentence = sentence(
                across("[rank0]: " + oom(0, "2.00 GiB", "70.00 GiB") + "[rank7]: " + oom(7, "1.00 GiB", "40.00 GiB")),
                "imbalance");
        assertThat(sentence).startsWith("rank 0 holds 70.00 GiB, rank 7 only 40.00 GiB: 30.00 GiB apart");
        assertThat(sentence(
                        across("[rank0]: " + oom(0, "2.00 GiB", "70.00 GiB") + "[rank7]: "
                                + oom(7, "1.00 GiB", "69.50 GiB")),
                        "imbalance"))
                .isEmpty();
    }

    @Test
    void stages_that_did_not_fail_are_compared_by_what_they_print() {
        String step =
                "[Rank %d] (after 10 iterations) memory (MB) | allocated: 1.5 | max allocated: %d.5 | reserved: 1.0\n";
        String log = (step.formatted(0, 60000) + step.formatted(4, 30000)).repeat(2);
        assertThat(sentence(across(log), "imbalance")).startsWith("rank 0 holds 58.59 GiB, rank 4 only 29.30 GiB");
    }

    @Test
    void the_same_size_failing_again_is_said_once() {
        List<Finding> found =
                across(("[rank0]: " + oom(0, "2.00 GiB", "70.00 GiB")).repeat(3) + oom(1, "1.00 GiB", "70.00 GiB"));
        assertThat(sentence(found, "same-size")).startsWith("The same 2.00 GiB failed 3 times");
    }

    @Test
    void memory_that_grows_to_the_end_is_a_leak_and_letting_go_of_the_loss_comes_first() {
        StringBuilder log = new StringBuilder();
        for (int step = 0; step < 40; step++) {
            log.append("step ")
                    .append(step)
                    .append(" memory allocated: ")
                    .append(20 + step)
                    .append(".00 GiB\n");
        }
        log.append(oom(0, "2.00 GiB", "70.00 GiB"));
        assertThat(sentence(across(log.toString()), "growth")).contains("20.00 GiB to 59.00 GiB over 40 values");
        List<Diagnosis> judged = new Diagnoser().diagnose(OomLogReader.read(log.toString()));
        assertThat(judged.get(0).remedies().get(0).id()).isEqualTo("delete-loss");
    }

    @Test
    void warming_up_and_steady_steps_are_no_growth() {
        StringBuilder log = new StringBuilder();
        for (int step = 0; step < 40; step++) {
            log.append("memory allocated: ")
                    .append(Math.min(60, 20 + 10 * step))
                    .append(".00 GiB\n");
        }
        assertThat(across(log + oom(0, "2.00 GiB", "70.00 GiB")))
                .extracting(f -> f.id())
                .doesNotContain("growth");
        assertThat(across("")).isEmpty();
    }
}

package dev.lacuna.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Run;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Weights that do not fit, cards that spilled, caps, small gaps, and logs of a folder: what real logs were judged wrongly for. */
class LoadingAndLimitsTest {
    private static final String SMALL_GAP =
            "RuntimeError: CUDA out of memory. Tried to allocate 30.00 MiB (GPU 0; 10.00 GiB total capacity;"
                    + " 9.60 GiB already allocated; 8.00 MiB free; 9.64 GiB reserved in total by PyTorch)\n";

    private static Diagnosis only(String log) {
        List<Diagnosis> all = new Diagnoser().diagnose(OomLogReader.read(log));
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static List<String> ids(Diagnosis d) {
        return d.remedies().stream().map(Remedy::id).toList();
    }

    private static String headline(Diagnosis d) {
        return DiagnosisText.render(Locale.ENGLISH, d.headline());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "  File \"a.py\", line 7, in persistent_load",
                "  File \"/x/accelerate/utils/modeling.py\", line 7, in set_module_tensor_to_device",
                "Loading checkpoint shards:  40%|####      | 4/10 [00:04<00:06,  1.00it/s]",
                "    state = torch.load(path)"
            })
    void weights_that_fill_the_device_while_they_are_loaded_are_capacity(String before) {
        Diagnosis d = only("Traceback\n" + before + "\n" + SMALL_GAP);
        assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
        assertThat(ids(d)).contains("load-type").doesNotContain("smaller-micro-batch", "bucket-lengths", "recompute");
        assertThat(headline(d)).contains("weights");
    }

    @Test
    void loading_that_is_past_says_nothing() {
        String past = "Loading checkpoint shards: 100%|####| 10/10\n    loss.backward()\n";
        assertThat(only(past + SMALL_GAP).cause()).isEqualTo(Cause.FRAGMENTATION);
    }

    @Test
    void a_small_gap_of_a_full_card_is_of_less_confidence_and_capacity_comes_next() {
        Diagnosis d = only(SMALL_GAP);
        assertThat(d.confidence()).isEqualTo(Confidence.LOW);
        assertThat(d.runnerUp()).hasValue(Cause.CAPACITY);
    }

    @Test
    void tensors_beyond_the_card_are_capacity_by_all_that_is_beyond() {
        Diagnosis d = only(
                "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 MiB (GPU 0; 8.00 GiB total"
                        + " capacity; 20.00 GiB already allocated; 0 bytes free; 20.50 GiB reserved in total by PyTorch)\n");
        assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
        assertThat(headline(d)).contains("12.06 GiB");
        assertThat(ids(d)).doesNotContain("max-split-size");
    }

    @Test
    void a_cap_that_is_met_within_the_printed_digits_is_in_the_headline() {
        Diagnosis d = only(
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB. GPU 0 has a total capacity of"
                        + " 40.00 GiB of which 30.00 GiB is free. 2.00 GiB allowed; Of the allocated memory 1.95 GiB is allocated by"
                        + " PyTorch, and 48.00 MiB is reserved by PyTorch but unallocated.\n");
        assertThat(headline(d)).contains("cap of 2.00 GiB");
        assertThat(ids(d)).contains("raise-limit").doesNotContain("hidden-limit");
    }

    @Test
    void a_macs_limit_leaves_no_room_and_is_lifted_last() {
        Diagnosis d =
                only("RuntimeError: MPS backend out of memory (MPS allocated: 2.00 GB, other allocations: 7.00 GB,"
                        + " max allowed: 9.07 GB). Tried to allocate 500.00 MB on private pool.\n");
        assertThat(headline(d)).doesNotContain("room");
        assertThat(ids(d)).endsWith("mps-watermark").hasSizeGreaterThan(1);
    }

    @Test
    void rmms_pool_is_allowed_to_grow() {
        Diagnosis d = only("MemoryError: std::bad_alloc: RMM failure at: a.hpp:7: Maximum pool size exceeded\n");
        assertThat(ids(d)).startsWith("rmm-pool");
        assertThat(headline(d)).doesNotContain("room");
    }

    @Test
    void a_runtime_that_prints_a_size_has_printed_figures() {
        Diagnosis d = only("EL0004: Failed to allocate memory requested by module.\n"
                + "Call rtMalloc fail, purpose: cache, type = 2, size:3000000000, device_id:0\n");
        String said = DiagnosisText.render(Locale.ENGLISH, d.findings().get(0).explanation());
        assertThat(said).contains("only what was asked for").doesNotContain("tried");
    }

    @Test
    void unrelated_logs_of_a_folder_are_not_held_against_one_another() {
        assertThat(across(judged("a.txt", 10), judged("b.txt", 80))).isEmpty();
        assertThat(across(judged("worker-0.txt", 10), judged("worker-1.txt", 80)))
                .isEmpty();
    }

    @Test
    void a_failure_that_was_printed_twice_did_not_fail_twice() {
        OomLog log = OomLogReader.read(SMALL_GAP + "ERROR " + SMALL_GAP);
        assertThat(across(new JudgedLog("a", log, new Diagnoser().diagnose(log))))
                .isEmpty();
    }

    private static List<String> across(JudgedLog... logs) {
        return Rules.judge(new Run(Stream.of(logs).toList())).stream()
                .map(Finding::id)
                .toList();
    }

    private static JudgedLog judged(String source, int gib) {
        OomLog log = OomLogReader.read("RuntimeError: CUDA out of memory. Tried to allocate 3.00 GiB (GPU 0; " + gib
                + ".00 GiB total capacity; " + (gib - 2) + ".00 GiB already allocated; 1.00 GiB free; " + (gib - 1)
                + ".00 GiB reserved in total by PyTorch)\n");
        return new JudgedLog(source, log, new Diagnoser().diagnose(log));
    }
}

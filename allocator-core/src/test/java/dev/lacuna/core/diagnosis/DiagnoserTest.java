package dev.lacuna.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Remedy.LiveAction;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.rule.DisagreementRule;
import dev.lacuna.core.diagnosis.rule.NearLimitNote;
import dev.lacuna.core.diagnosis.rule.OneGibRule;
import dev.lacuna.core.diagnosis.rule.SpillNote;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiagnoserTest {
    private static final long GIB = 1L << 30;

    private final Diagnoser diagnoser = new Diagnoser();

    @Test
    void the_seeds_example_is_fragmentation_and_what_is_untried_stands_behind_the_frameworks_own_setting() {
        Diagnosis d = diagnose(Messages.SEED);
        assertThat(ByteSize.format(d.gapBytes().orElseThrow())).isEqualTo("2.73 GiB");
        assertThat(d.gapOverThreshold()).hasValue(true);
        assertThat(d.cause()).isEqualTo(Cause.FRAGMENTATION);
        assertThat(d.confidence()).isEqualTo(Confidence.HIGH);
        assertThat(ByteSize.format(d.outsideBytes().orElseThrow())).isEqualTo("3.03 GiB");
        assertThat(d.also()).containsExactly(Cause.OUTSIDE_THE_POOL);
        assertThat(d.reason().figures())
                .filteredOn(f -> f.name().equals("free_and_gap"))
                .singleElement()
                .satisfies(f -> assertThat(ByteSize.format(f.bytes())).isEqualTo("4.32 GiB"));
        assertThat(ids(d)).startsWith("expandable-segments", "optimisation-on");
        Remedy ours = d.remedies().get(1);
        assertThat(ours.live()).isInstanceOf(LiveAction.TurnOptimisationOn.class);
        assertThat(ours.command())
                .as("the agent has no NPU backend to turn it on with")
                .isEmpty();
        assertThat(ours.gainBytes()).isEmpty();
        assertThat(english(ours.why())).contains("not yet tried on a real card").doesNotContain("frees up to");
        assertThat(english(d.headline())).isEqualTo("The pool keeps 2.73 GiB that it cannot use.");
        assertThat(english(finding(d, OneGibRule.ID).explanation()))
                .startsWith(
                        "Reserved 56.60 GiB \u2212 allocated 53.87 GiB = 2.73 GiB, above the threshold of 1.00 GiB");
        assertThat(d.findings()).noneMatch(f -> f.id().equals(DisagreementRule.ID));
    }

    @Nested
    class Causes {
        /** Public threads and the class that their figures prove. */
        @ParameterizedTest
        @CsvSource({
            "3.30, 61.22, 53.87, 1.59, 56.60, fragmentation",
            "2.00, 60.96, 55.91, 1.80, 58.73, fragmentation",
            "4.50, 60.96, 52.87, 2.77, 56.89, fragmentation",
            "0.22, 60.96, 58.13, 0.095, 58.42, fragmentation",
            "11.50, 60.97, 54.10, 4.64, 54.27, capacity",
            "0.38, 60.96, 5.58, 0.01, 5.70, outside-the-pool",
            "64.00, 60.96, 18.35, 41.44, 19.17, oversized-request"
        })
        void are_told_apart_by_the_messages_own_figures(
                double tried, double total, double allocated, double free, double reserved, String cause) {
            assertThat(diagnose(Messages.npu(tried, total, allocated, free, reserved))
                            .cause()
                            .id())
                    .isEqualTo(cause);
        }

        @Test
        void a_cap_that_is_hit_while_the_device_has_room_is_the_limit() {
            assertThat(diagnose(Messages.cudaOldCapped(3, 32, 9, 16, 17, 15)).cause())
                    .isEqualTo(Cause.LIMIT);
            assertThat(diagnose(Messages.cudaOldCapped(2, 32, 9, 16, 17, 15)).cause())
                    .as("exactly at the cap")
                    .isEqualTo(Cause.OUTSIDE_THE_POOL);
            assertThat(diagnose(Messages.cudaOldCapped(3, 32, 13, 1, 17, 16)).cause())
                    .as("no room either")
                    .isEqualTo(Cause.FRAGMENTATION);
        }

        @Test
        void a_cap_that_is_met_within_the_printed_digits_is_said_beside_the_verdict() {
            Diagnosis d = diagnose(Messages.cudaOldCapped(5.59, 11.17, 0, 10.91, 5.59, 0));
            assertThat(d.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
            assertThat(finding(d, NearLimitNote.ID).confidence()).isEqualTo(Confidence.MEDIUM);
            assertThat(ids(d)).startsWith("raise-limit");
            assertThat(diagnose(Messages.cudaOldCapped(5, 11.17, 0, 10.91, 5.59, 0))
                            .findings())
                    .noneMatch(f -> f.id().equals(NearLimitNote.ID));
        }

        @Test
        void fragmentation_needs_the_pieces_to_be_enough_and_the_free_not_to_be() {
            assertThat(diagnose(Messages.cuda(3, 24, 19, 1, 21)).cause()).isEqualTo(Cause.FRAGMENTATION);
            assertThat(diagnose(Messages.cuda(3.02, 24, 20, 1, 22.01)).cause()).isEqualTo(Cause.CAPACITY);
            assertThat(diagnose(Messages.cuda(1, 24, 20, 1, 22)).cause())
                    .as("free alone was enough")
                    .isEqualTo(Cause.OUTSIDE_THE_POOL);
        }

        @Test
        void others_count_beyond_one_gibibyte() {
            assertThat(diagnose(Messages.cuda(3, 24, 10, 1, 10)).cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
            assertThat(diagnose(Messages.cuda(3, 24, 22, 1, 22)).cause()).isEqualTo(Cause.CAPACITY);
        }

        @Test
        void a_library_failing_beside_a_pool_with_cache_was_crowded_out() {
            String log = "[rank1]: " + Messages.npu(0.5, 60.96, 50, 0.1, 57).replace("\n", "")
                    + "\n[rank1]: [drv api] halMemAlloc failed:size=209715200(bytes), drvRetCode=6, device_id 1\n";
            List<Diagnosis> all = diagnoser.diagnose(OomLogReader.read(log));
            assertThat(all).extracting(Diagnosis::cause).containsExactly(Cause.FRAGMENTATION, Cause.POOL_CROWDS_OUT);
            Remedy first = all.get(1).remedies().get(0);
            assertThat(first.id()).isEqualTo("fraction");
            // 60.96 − 0.1 − 57 = 3.86 GiB outside and 0.195 GiB asked for: 1 − 4.055 / 60.96 = 0.933
            assertThat(first.live()).isEqualTo(new LiveAction.SetFraction(0.93));
        }

        @Test
        void a_runtime_failing_where_hccl_stands_in_the_log_was_crowded_out_and_nowhere_else() {
            String runtime = "EL0004: [PID: 9] 2025-01-02-03:04:05.006 Failed to allocate memory.\n";
            String far = "x".repeat(400) + "\n";
            String log = "HCCL INFO communicator of 8 ranks\n" + far.repeat(6) + runtime;
            assertThat(diagnoser.diagnose(OomLogReader.read(log)))
                    .extracting(Diagnosis::cause)
                    .containsExactly(Cause.POOL_CROWDS_OUT);
            assertThat(diagnoser.diagnose(OomLogReader.read(runtime)))
                    .extracting(Diagnosis::cause)
                    .containsExactly(Cause.UNKNOWN);
        }

        @Test
        void most_of_a_device_in_others_hands_is_never_called_fragmentation_first() {
            Diagnosis d = diagnose(Messages.npu(3, 61, 8, 1, 10.5)); // 49.5 GiB lie outside
            assertThat(d.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
            assertThat(d.also()).containsExactly(Cause.FRAGMENTATION);
            assertThat(d.runnerUp()).hasValue(Cause.FRAGMENTATION);
        }

        @Test
        void figures_that_cannot_be_are_said_and_lower_the_confidence() {
            Diagnosis d =
                    diagnose(Messages.cuda(3, 24, 17, 1, 26)); // reserved beyond the card is a spill, and said as one
            assertThat(d.findings()).anyMatch(f -> f.id().equals(SpillNote.ID));
            Diagnosis odd = diagnose(Messages.cuda(3, 24, 2, 30, 4)); // 30 of 24 GiB free
            assertThat(odd.findings()).anyMatch(f -> f.id().equals("impossible-figures"));
            assertThat(odd.confidence()).isEqualTo(Confidence.LOW);
        }

        @Test
        void a_tie_within_the_printed_digits_is_not_laid_on_others() {
            Diagnosis d = diagnose("CUDA out of memory. Tried to allocate 512.00 MiB (GPU 0; 31.75 GiB total capacity;"
                    + " 30.25 GiB already allocated; 62.19 MiB free; 30.67 GiB reserved in total by PyTorch)");
            assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
        }

        @Test
        void named_processes_that_outweigh_a_small_gap_come_before_it() {
            Diagnosis d = diagnose(
                    "CUDA out of memory. Tried to allocate 48.00 MiB. GPU 0 has a total capacity of 47.50"
                            + " GiB of which 40.00 MiB is free. Process 11 has 5.60 GiB memory in use. Process 12 has 7.60 GiB memory in"
                            + " use. Including non-PyTorch memory, this process has 34.20 GiB memory in use. Of the allocated memory"
                            + " 33.50 GiB is allocated by PyTorch, and 350.00 MiB is reserved by PyTorch but unallocated.");
            assertThat(d.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
            assertThat(d.remedies().get(0).id()).isEqualTo("stop-others");
        }

        @Test
        void a_few_mib_that_a_driver_keeps_are_no_room_while_weights_are_loaded() {
            Diagnosis d = diagnose("  File \"x.py\", line 3, in convert\n    return self._apply(convert)\n"
                    + "OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 11.76 GiB total capacity;"
                    + " 10.92 GiB already allocated; 56.25 MiB free; 10.97 GiB reserved in total by PyTorch)");
            assertThat(d.remedies()).extracting(Remedy::id).doesNotContain("hidden-limit");
        }

        @Test
        void one_buffer_is_more_than_metal_makes() {
            assertThat(diagnose("RuntimeError: Invalid buffer size: 9.00 GB").cause())
                    .isEqualTo(Cause.OVERSIZED_REQUEST);
        }

        @Test
        void a_pool_of_julia_that_comes_to_its_cap_was_limited() {
            Diagnosis d = diagnose("Out of GPU memory trying to allocate 8.016 MiB\nEffective GPU memory usage: 91.54%"
                    + " (14.446 GiB/15.782 GiB)\nCUDA allocator usage: 13.984 GiB (capped at 14.000 GiB)");
            assertThat(d.cause()).isEqualTo(Cause.LIMIT);
            assertThat(d.remedies().get(0).id()).isEqualTo("julia-cap");
        }

        @Test
        void a_library_failing_alone_leaves_the_cause_unknown_and_the_usual_fraction_first() {
            Diagnosis d = diagnose(
                    "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`");
            assertThat(d.cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(d.gapOverThreshold()).isEmpty();
            assertThat(d.remedies().get(0).command()).hasValue("torch.cuda.set_per_process_memory_fraction(0.94)");
        }

        @Test
        void unknown_says_what_is_missing() {
            Diagnosis d = diagnose(
                    "XPU out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 15.11 GiB. Of the"
                            + " allocated memory 0 bytes is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated.");
            assertThat(d.cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(english(d.reason().explanation())).isEqualTo("The message does not give: free.");
            assertThat(d.confidence()).isEqualTo(Confidence.LOW);
        }

        @Test
        void narrow_margins_lower_the_confidence() {
            assertThat(diagnose(Messages.cuda(3, 24, 19, 1, 21)).confidence()).isEqualTo(Confidence.MEDIUM);
            assertThat(diagnose(Messages.cuda(3, 24, 17, 1, 21)).confidence()).isEqualTo(Confidence.HIGH);
        }
    }

    @Nested
    class OneGibibyteRule {
        @Test
        void is_strict_and_its_threshold_can_be_edited() {
            String exactly = Messages.npu(3, 61, 50, 2.5, 51);
            assertThat(diagnose(exactly).gapOverThreshold()).hasValue(false);
            Diagnosis strict =
                    new Diagnoser(Thresholds.DEFAULT.withGapBytes(GIB - 1)).diagnose(Messages.report(exactly));
            assertThat(strict.gapOverThreshold()).hasValue(true);
        }

        @Test
        void is_contradicted_where_closing_the_gap_would_not_have_helped() {
            Diagnosis d = diagnose(Messages.cudaOld(10.73, 8, 17.20, 0, 19.15));
            assertThat(d.gapOverThreshold()).hasValue(true);
            assertThat(english(finding(d, DisagreementRule.ID).explanation()))
                    .endsWith("The cause is: oversized request.");
            assertThat(finding(d, SpillNote.ID).figures())
                    .singleElement()
                    .satisfies(f -> assertThat((double) f.bytes() / GIB).isCloseTo(11.15, within(0.01)));
        }

        @Test
        void is_contradicted_where_a_smaller_gap_would_have_been_enough() {
            Diagnosis d = diagnose(Messages.npu(0.22, 60.96, 58.13, 0.095, 58.42));
            assertThat(d.gapOverThreshold()).hasValue(false);
            assertThat(d.cause()).isEqualTo(Cause.FRAGMENTATION);
            assertThat(english(finding(d, DisagreementRule.ID).explanation())).contains("would have been enough");
        }
    }

    @Nested
    class Remedies {
        @Test
        void are_never_what_the_log_shows_to_be_on() {
            String on = "PYTORCH_NPU_ALLOC_CONF=expandable_segments:True\nMEMORY_FRAGMENTATION=1\n" + Messages.SEED;
            List<String> ids = ids(diagnoser.diagnose(OomLogReader.read(on)).get(0));
            assertThat(ids)
                    .isNotEmpty()
                    .doesNotContain("optimisation-on", "expandable-segments", "max-split-size", "gc-threshold");
            assertThat(ids(diagnose(Messages.lacuna(3, 8, 4, 1, 7, "on")))).doesNotContain("optimisation-on");
            assertThat(ids(diagnose(Messages.lacuna(3, 8, 4, 1, 7, "off")))).startsWith("optimisation-on");
        }

        @Test
        void turn_the_optimisation_on_with_a_command_and_a_figure_where_the_agent_serves_the_device() {
            Remedy own =
                    diagnose(Messages.lacuna(3, 8, 4, 1, 7, "off")).remedies().get(0);
            assertThat(own.command()).hasValue("lacuna set PID optimisation=on");
            assertThat(own.gainBytes()).hasValue(3L << 30);
            assertThat(english(own.why())).contains("the gap of 3.00 GiB").doesNotContain("frees");
            assertThat(own.gain().map(what -> english(what))).contains("works on a gap of 3.00 GiB");
            Diagnosis d = diagnose(Messages.cuda(3, 24, 17, 1, 21));
            assertThat(ids(d))
                    .as("what is tried on cards comes first")
                    .startsWith("expandable-segments", "optimisation-on");
            Remedy cuda = d.remedies().get(1);
            assertThat(cuda.live()).isInstanceOf(LiveAction.TurnOptimisationOn.class);
            assertThat(cuda.command()).isEmpty();
            assertThat(cuda.gainBytes()).isEmpty();
        }

        @Test
        void never_pair_expandable_segments_with_what_they_exclude() {
            for (String message : List.of(
                    Messages.SEED,
                    Messages.cuda(3, 24, 17, 1, 21),
                    Messages.cudaOld(3, 24, 17, 1, 21) + " If reserved memory is >> allocated memory",
                    Messages.cudaOldCapped(3, 32, 9, 16, 17, 15))) {
                List<String> ids = ids(diagnose(message));
                if (ids.contains("expandable-segments")) {
                    assertThat(ids).doesNotContain("max-split-size", "gc-threshold");
                }
            }
        }

        @Test
        void fit_the_version_that_printed_the_message() {
            String old = Messages.cudaOld(3, 24, 17, 1, 21);
            assertThat(ids(diagnose(Messages.cuda(3, 24, 17, 1, 21)))).contains("expandable-segments");
            assertThat(ids(diagnose(old)))
                    .doesNotContain("expandable-segments", "max-split-size")
                    .contains("upgrade");
            assertThat(ids(diagnose(old + " If reserved memory is >> allocated memory try setting max_split_size_mb")))
                    .contains("max-split-size", "upgrade")
                    .doesNotContain("expandable-segments");
        }

        @Test
        void name_the_variable_that_the_framework_reads() {
            assertThat(command(diagnose(Messages.SEED), "expandable-segments"))
                    .isEqualTo("PYTORCH_NPU_ALLOC_CONF=expandable_segments:True");
            String advised = Messages.cuda(3, 24, 17, 1, 21)
                    + " If reserved but unallocated memory is large try setting PYTORCH_ALLOC_CONF=expandable_segments:True to avoid";
            assertThat(command(diagnose(advised), "expandable-segments"))
                    .isEqualTo("PYTORCH_ALLOC_CONF=expandable_segments:True");
        }

        @Test
        void for_a_limit_raise_it_as_far_as_others_allow() {
            Diagnosis d = diagnose(Messages.cudaOldCapped(3, 32, 9, 14, 17, 15)); // 3 GiB lie outside
            Remedy first = d.remedies().get(0);
            assertThat(first.id()).isEqualTo("raise-limit");
            assertThat(first.live()).isEqualTo(new LiveAction.SetFraction(0.90));
            assertThat(first.command()).hasValue("torch.cuda.set_per_process_memory_fraction(0.90)");
        }

        @Test
        void for_a_shortage_beside_a_large_gap_name_the_gap_too() {
            assertThat(ids(diagnose(Messages.cuda(22.78, 31.47, 9.08, 12.73, 18.43))))
                    .containsSubsequence("smaller-micro-batch", "optimisation-on", "expandable-segments");
            assertThat(ids(diagnose(Messages.cuda(3, 24, 22, 1, 22)))).doesNotContain("optimisation-on");
        }

        @Test
        void for_others_on_the_device_are_to_stop_them_and_no_allocator_setting() {
            List<String> ids = ids(diagnose(Messages.npu(0.38, 60.96, 5.58, 0.01, 5.70)));
            assertThat(ids).startsWith("stop-others").doesNotContain("optimisation-on", "expandable-segments");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 285212672 bytes.|xla-fraction",
                    "MPS backend out of memory (MPS allocated: 8.89 GB, other allocations: 172.98 MB, max allowed: 9.07 GB)."
                            + " Tried to allocate 6.25 MB on private pool.|mps-watermark"
                })
        void of_other_frameworks_are_their_own(String log, String id) {
            assertThat(ids(diagnose(log))).contains(id).doesNotContain("optimisation-on");
        }
    }

    private Diagnosis diagnose(String log) {
        return diagnoser.diagnose(Messages.report(log));
    }

    private static Finding finding(Diagnosis d, String id) {
        return d.findings().stream()
                .filter(f -> f.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no finding " + id));
    }

    private static List<String> ids(Diagnosis d) {
        return d.remedies().stream().map(Remedy::id).toList();
    }

    private static String command(Diagnosis d, String id) {
        return d.remedies().stream()
                .filter(r -> r.id().equals(id))
                .findFirst()
                .flatMap(Remedy::command)
                .orElseThrow();
    }

    private static String english(Text text) {
        return DiagnosisText.render(Locale.ENGLISH, text);
    }
}

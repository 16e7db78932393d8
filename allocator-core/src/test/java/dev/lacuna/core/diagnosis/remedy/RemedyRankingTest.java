package dev.lacuna.core.diagnosis.remedy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.Diagnoser;
import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemedyRankingTest {
    private static final String SPLIT = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0"
            + " has a total capacity of 79.11 GiB of which 1.20 GiB is free. Of the allocated memory 70.00 GiB is"
            + " allocated by PyTorch, and 3.00 GiB is reserved by PyTorch but unallocated.\n";

    private static final String FULL_NPU = "RuntimeError: NPU out of memory. Tried to allocate 30.00 MiB (NPU 3; 60.96"
            + " GiB total capacity; 60.34 GiB already allocated; 60.34 GiB current active; 14.24 MiB free; 60.35 GiB"
            + " reserved in total by PyTorch)\n";

    /** MindSpeed's switches are offered where its own lines show that it runs. */
    private static final String MINDSPEED = "File \"mindspeed/megatron_adaptor.py\", line 12, in wrapper\n";

    private static List<Remedy> remedies(String log) {
        return new Diagnoser().diagnose(OomLogReader.read(log)).get(0).remedies();
    }

    private static List<String> ids(String log) {
        return remedies(log).stream().map(Remedy::id).toList();
    }

    private static Remedy remedy(String log, String id) {
        return remedies(log).stream().filter(r -> r.id().equals(id)).findFirst().orElseThrow();
    }

    @Nested
    class settings_strings {
        @Test
        void keep_what_is_set_already_because_a_new_string_replaces_the_old() {
            String set =
                    "export PYTORCH_CUDA_ALLOC_CONF=garbage_collection_threshold:0.8,roundup_power2_divisions:[256:1,>:8]\n";
            assertThat(remedy(set + SPLIT, "expandable-segments").command())
                    .hasValue(
                            "PYTORCH_CUDA_ALLOC_CONF=garbage_collection_threshold:0.8,roundup_power2_divisions:[256:1,>:8],"
                                    + "expandable_segments:True");
        }

        @Test
        void go_on_with_the_variable_that_is_set() {
            assertThat(remedy("PYTORCH_ALLOC_CONF=backend:native\n" + SPLIT, "expandable-segments")
                            .command())
                    .hasValue("PYTORCH_ALLOC_CONF=backend:native,expandable_segments:True");
        }

        @Test
        void on_npus_never_hold_what_expandable_segments_exclude() {
            String set = "PYTORCH_NPU_ALLOC_CONF=max_split_size_mb:256,garbage_collection_threshold:0.8,page_size:1g\n";
            String npu = FULL_NPU.replace("60.34 GiB already", "50.34 GiB already");
            assertThat(remedy(set + npu, "expandable-segments").command())
                    .hasValue("PYTORCH_NPU_ALLOC_CONF=page_size:1g,expandable_segments:True");
        }
    }

    @Nested
    class pairs_that_exclude_each_other {
        @Test
        void fragmentation_switch_and_adaptive_memory_are_never_offered_together() {
            for (String log : List.of(FULL_NPU, FULL_NPU.replace("60.34 GiB already", "50.34 GiB already"))) {
                assertThat(ids(MINDSPEED + log).contains("memory-fragmentation")
                                && ids(MINDSPEED + log).contains("adaptive-memory"))
                        .isFalse();
            }
        }

        @Test
        void the_one_that_is_on_keeps_the_other_away() {
            assertThat(ids(MINDSPEED + FULL_NPU)).contains("adaptive-memory");
            assertThat(ids(FULL_NPU)).doesNotContain("adaptive-memory");
            assertThat(ids("export MEMORY_FRAGMENTATION=1\n" + FULL_NPU)).doesNotContain("adaptive-memory");
            String split = FULL_NPU.replace("60.34 GiB already", "50.34 GiB already");
            assertThat(ids(MINDSPEED + split)).contains("memory-fragmentation");
            assertThat(ids(split)).doesNotContain("memory-fragmentation");
            assertThat(ids("python pretrain.py --adaptive-memory-optimization\n" + split))
                    .doesNotContain("memory-fragmentation");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "recompute | --recompute-granularity full --bf16",
                "recompute | gradient_checkpointing=True",
                "mixed-precision | torchrun train.py --bf16 --lr 1e-4",
                "mixed-precision | params_dtype .................. torch.bfloat16",
                "shard | use_distributed_optimizer ............ True",
                "adaptive-memory | --adaptive-memory-optimization",
                "swap | --smart-swap"
            })
    void what_the_log_shows_to_be_on_is_not_offered(String id, String line) {
        assertThat(ids(MINDSPEED + FULL_NPU)).contains(id);
        assertThat(ids(MINDSPEED + line + "\n" + FULL_NPU)).doesNotContain(id);
    }

    @Test
    void advice_to_turn_something_on_is_not_that_it_is_on() {
        assertThat(ids("python3 train.py\nhint: please try gradient_checkpointing=True\n" + FULL_NPU))
                .contains("recompute");
    }

    @Test
    void a_collective_that_finds_no_room_is_given_a_fraction_then_the_cache() {
        String log = "[rank0]: " + SPLIT + "[rank0]: Cuda failure 2 'out of memory'\n";
        List<Diagnosis> judged = new Diagnoser().diagnose(OomLogReader.read(log));
        assertThat(judged.get(1).cause()).isEqualTo(Cause.POOL_CROWDS_OUT);
        assertThat(judged.get(1).remedies()).extracting(Remedy::id).startsWith("fraction", "empty-cache");
    }

    @Test
    void a_collective_alone_is_left_the_room_that_it_asked_for_where_the_device_is_known() {
        String warned =
                "[W1122 23:20:58 CUDACachingAllocator.cpp:3934] memory allocation failed with OOM on device 0 while"
                        + " trying to allocate 67108864 bytes (free: 20971520, total: 8589934592).\n";
        String asked = "node1:1:2 [0] include/alloc.h:185 NCCL WARN Failed to CUDA calloc 805306368 bytes\n";
        assertThat(remedy(asked, "fraction").command())
                .as("nothing tells that PyTorch called")
                .isEmpty();
        assertThat(remedy("import torch\n" + asked, "fraction").command())
                .hasValue("torch.cuda.set_per_process_memory_fraction(0.94)");
        assertThat(remedy(warned + asked, "fraction").command())
                .hasValue("torch.cuda.set_per_process_memory_fraction(0.90)");
        assertThat(new Diagnoser().diagnose(OomLogReader.read(warned))).isEmpty();
    }

    @Test
    void the_limit_that_metals_own_message_advises_to_lift_is_lifted_last() {
        String metal =
                "RuntimeError: MPS backend out of memory (MPS allocated: 16.00 GB, other allocations: 3.31 GB, max"
                        + " allowed: 18.13 GB). Tried to allocate 256 bytes on shared pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to"
                        + " disable upper limit for memory allocations (may cause system failure).\n";
        assertThat(ids(metal))
                .as("by default it lies above the machine's memory")
                .endsWith("mps-watermark");
        assertThat(ids("export PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0\n" + metal)).doesNotContain("mps-watermark");
    }

    @Test
    void a_pool_beyond_its_card_is_one_on_windows_where_segments_cannot_expand() {
        String spilled =
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity"
                        + " of 8.00 GiB of which 0 bytes is free. Of the allocated memory 7.50 GiB is allocated by PyTorch, and 2.00 GiB"
                        + " is reserved by PyTorch but unallocated.\n";
        assertThat(ids(spilled)).contains("max-split-size").doesNotContain("expandable-segments");
        assertThat(ids(spilled.replace("7.50", "8.50")))
                .as("tensors that the driver moved to the host")
                .doesNotContain("max-split-size", "expandable-segments", "optimisation-on");
    }

    @Test
    void the_hosts_memory_gets_the_hosts_remedies() {
        assertThat(ids("Out of memory: Killed process 4242 (python3) total-vm:1kB\n"))
                .containsExactly("host-pieces", "host-others");
        assertThat(ids("slurmstepd: error: Detected 1 oom-kill event(s) in StepId=191.batch cgroup.\n"))
                .startsWith("host-limit");
        assertThat(ids("RuntimeError: DataLoader worker (pid 4242) is killed by signal: Bus error. It is possible\n"))
                .startsWith("shm-size", "host-workers");
    }

    @Test
    void every_remedy_says_in_both_languages_what_it_costs_or_is_about_knowing() {
        for (String log : List.of(SPLIT, FULL_NPU)) {
            for (Remedy remedy : remedies(log)) {
                for (Locale locale : List.of(Locale.ENGLISH, Locale.SIMPLIFIED_CHINESE)) {
                    boolean costs =
                            DiagnosisText.renderIfThere(locale, remedy.cost()).isPresent()
                                    || DiagnosisText.renderIfThere(locale, remedy.conflicts())
                                            .isPresent();
                    assertThat(costs).as(remedy.id() + " in " + locale).isTrue();
                }
            }
        }
    }
}

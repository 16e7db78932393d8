package dev.lacuna.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What two readers with fresh eyes found misleading in logs that nobody had tuned on: in shapes of our own. */
class WhoReadsItTest {
    private static final String TORCH =
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate %s. GPU 0 has a total capacity of %s of which"
                    + " %s is free. Of the allocated memory %s is allocated by PyTorch, and %s is reserved by PyTorch but"
                    + " unallocated.\n";

    private static List<Diagnosis> all(String log) throws IOException {
        return new Diagnoser().diagnose(OomLogReader.read(new StringReader(log)));
    }

    private static Diagnosis one(String log) throws IOException {
        List<Diagnosis> found = all(log);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static List<String> ids(Diagnosis diagnosis) {
        return diagnosis.remedies().stream().map(Remedy::id).toList();
    }

    private static String commands(Diagnosis diagnosis) {
        return diagnosis.remedies().stream()
                .flatMap(remedy -> remedy.command().stream())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void weights_that_fill_the_card_while_they_are_loaded_are_no_fragmentation() throws IOException {
        Diagnosis loading =
                one("  File \"/env/accelerate/utils/modeling.py\", line 300, in set_module_tensor_to_device\n"
                        + String.format(TORCH, "120.00 MiB", "24.00 GiB", "60.00 MiB", "23.10 GiB", "300.00 MiB"));
        assertThat(loading.cause()).isEqualTo(Cause.CAPACITY);
        assertThat(ids(loading))
                .startsWith("load-type", "load-sharded")
                .doesNotContain("bucket-lengths", "smaller-micro-batch", "optimisation-on", "recompute");
    }

    @Test
    void a_large_gap_is_one_while_weights_are_loaded_too() throws IOException {
        Diagnosis loading = one("  File \"/env/torch/serialization.py\", line 1, in persistent_load\n"
                + String.format(TORCH, "2.00 GiB", "24.00 GiB", "60.00 MiB", "19.00 GiB", "4.00 GiB"));
        assertThat(loading.cause()).isEqualTo(Cause.FRAGMENTATION);
    }

    @Test
    void tensors_beyond_their_card_are_short_of_memory_whatever_the_gap() throws IOException {
        Diagnosis spilled = one(String.format(TORCH, "64.00 MiB", "8.00 GiB", "0 bytes", "20.00 GiB", "900.00 MiB"));
        assertThat(spilled.cause()).isEqualTo(Cause.CAPACITY);
    }

    @Test
    void a_small_gap_on_a_full_card_is_no_sure_fragmentation() throws IOException {
        Diagnosis full = one(String.format(TORCH, "100.00 MiB", "16.00 GiB", "20.00 MiB", "14.70 GiB", "300.00 MiB"));
        assertThat(full.cause()).isEqualTo(Cause.FRAGMENTATION);
        assertThat(full.confidence()).isNotEqualTo(Confidence.HIGH);
        assertThat(full.runnerUp()).contains(Cause.CAPACITY);
    }

    @Test
    void windows_is_known_by_its_paths_into_pytorchs_sources() throws IOException {
        Diagnosis windows = one("Exception raised from malloc at ..\\c10\\cuda\\CUDACachingAllocator.cpp:936\n"
                + String.format(TORCH, "100.00 MiB", "16.00 GiB", "20.00 MiB", "10.70 GiB", "3.00 GiB"));
        assertThat(commands(windows)).doesNotContain("expandable_segments");
    }

    @Test
    void an_environment_in_the_folder_of_a_program_is_not_that_program() throws IOException {
        Diagnosis trains = one("/apps/ComfyUI/.venv/lib/python3.11/site-packages/autotrain/cli.py: warning\n"
                + String.format(TORCH, "2.00 GiB", "16.00 GiB", "20.00 MiB", "15.70 GiB", "100.00 MiB"));
        assertThat(commands(trains)).doesNotContain("--lowvram");
        Diagnosis pictures = one("!!! Exception during processing !!! CUDA out of memory\n"
                + String.format(TORCH, "2.00 GiB", "16.00 GiB", "20.00 MiB", "15.70 GiB", "100.00 MiB"));
        assertThat(commands(pictures)).contains("--lowvram");
    }

    @Test
    void devices_that_share_weights_already_are_counted_by_their_prefixes() throws IOException {
        Diagnosis server = one("[2026-02-03 04:05:06 TP7] sglang.srt.managers.scheduler: start\n"
                + "[2026-02-03 04:05:07 TP7] "
                + String.format(TORCH, "2.00 GiB", "80.00 GiB", "20.00 MiB", "79.70 GiB", "100.00 MiB"));
        assertThat(commands(server)).contains("--tp 16");
    }

    @Test
    void a_program_in_rust_reads_no_settings_of_pythons() throws IOException {
        Diagnosis rust = one("thread 'main' panicked at src/main.rs:3: Tch tensor error\n"
                + "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity; 5.00 GiB already"
                + " allocated; 100.00 MiB free; 7.00 GiB reserved in total by PyTorch)\n");
        assertThat(ids(rust)).doesNotContain("upgrade", "optimisation-on", "bucket-lengths", "smaller-micro-batch");
    }

    @Test
    void sessions_are_of_a_tensorflow_without_that_allocator() throws IOException {
        String told = "OOM when allocating tensor with shape[64,512,512,3] and type float on"
                + " /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n";
        String hint = "maybe the environment variable 'TF_GPU_ALLOCATOR=cuda_malloc_async' will improve it\n";
        assertThat(commands(one("ResourceExhaustedError: " + told + hint))).contains("cuda_malloc_async");
        assertThat(commands(one("  File \"client/session.py\", line 1, in _call_tf_sessionrun\nResourceExhaustedError: "
                        + told + hint)))
                .doesNotContain("cuda_malloc_async");
    }
}

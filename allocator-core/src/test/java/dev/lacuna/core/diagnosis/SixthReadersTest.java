package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Remedy;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a sixth reader's logs brought up, in words of our own. */
class SixthReadersTest {
    private static final String NO_BLOCKS =
            "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`\n";

    private static String advice(Diagnosis diagnosis) {
        return diagnosis.remedies().stream()
                .map(r -> text(r.title()) + "\n" + text(r.why()))
                .collect(Collectors.joining("\n"));
    }

    private static String text(dev.lacuna.core.diagnosis.model.Text text) {
        return DiagnosisText.render(Locale.ENGLISH, text);
    }

    private static Remedy remedy(Diagnosis diagnosis, String id) {
        return diagnosis.remedies().stream()
                .filter(r -> r.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Nested
    class a_server {
        private static final String WORKER = "(VllmWorker rank=0 pid=7) ERROR 01-01 00:00:00 [worker.py:1] ";

        /** A worker of vLLM on 60 GiB, of which it has reserved as much as others leave but for a few MiB. */
        private static String beside(String reserved, String allocated) {
            return WORKER + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 30.00 MiB (GPU 0; 60.00 GiB"
                    + " total capacity; " + allocated + " GiB already allocated; 10.00 MiB free; " + reserved
                    + " GiB reserved in total by PyTorch)\n";
        }

        @Test
        void is_told_no_share_where_none_would_hold_it_beside_the_others() {
            Diagnosis d = one(beside("12.00", "11.80"));
            assertThat(ids(d)).startsWith("stop-others", "beside-others").doesNotContain("vllm-utilisation");
            assertThat(text(remedy(d, "beside-others").why())).contains("12.00 GiB", "30.0 MiB", "of 60.00 GiB");
        }

        @Test
        void that_has_the_device_to_itself_may_take_a_smaller_share() {
            assertThat(commands(one(beside("59.20", "57.00")))).anyMatch(c -> c.contains("utilization 0.85"));
        }

        @Test
        void is_never_told_a_length_above_the_one_that_its_log_states() {
            String states = "INFO executor_base.py:1] Maximum concurrency for 3,000 tokens per request: 0.00x\n";
            assertThat(commands(one(states + NO_BLOCKS))).contains("--max-num-seqs 64 --max-model-len 1500");
            assertThat(commands(one("vllm serve m --max-num-seqs 12 --max-model-len 1600\n" + NO_BLOCKS)))
                    .contains("--max-num-seqs 6");
        }

        private static String measured(String weights) {
            return "INFO worker.py:1] the current vLLM instance can use total_gpu_memory (20.00GiB) x"
                    + " gpu_memory_utilization (0.50) = 10.00GiB\n"
                    + "INFO worker.py:1] model weights take " + weights + "GiB; non_torch_memory takes 0.10GiB; PyTorch"
                    + " activation peak memory takes 0.90GiB; the rest of the memory reserved for KV Cache is -1.00GiB.\n";
        }

        @Test
        void is_told_the_least_share_that_leaves_its_cache_room_where_it_printed_what_it_measured() {
            Diagnosis d = one(measured("10.00") + NO_BLOCKS);
            assertThat(commands(d)).contains("--gpu-memory-utilization 0.58");
            assertThat(text(remedy(d, "vllm-cache").why())).contains("0.55");
        }

        @Test
        void whose_weights_fill_the_device_is_told_no_share() {
            assertThat(ids(one(measured("18.70") + NO_BLOCKS)))
                    .startsWith("smaller-weights", "spread")
                    .doesNotContain("vllm-cache");
        }

        @Test
        void that_found_too_little_free_hears_what_does_not_change_its_check() {
            Diagnosis d = one("ValueError: Free memory on device (3.00/90.00 GiB) on startup is less than desired GPU"
                    + " memory utilization (0.9, 81.00 GiB).\n");
            assertThat(ids(d)).startsWith("stop-others").doesNotContain("vllm-utilisation");
            assertThat(text(remedy(d, "stop-others").why())).contains("3.00 GiB of 90.00 GiB", "next to nothing");
            for (String id : List.of("fewer-requests", "smaller-weights")) {
                assertThat(text(remedy(d, id).why())).contains("does not pass the check");
            }
        }

        @Test
        void that_ran_out_at_a_larger_share_is_not_told_one() {
            String message = "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.\n";
            Diagnosis stuck =
                    one("With --mem-fraction-static at 0.9 there is a CUDA out of memory, with 0.88:\n" + message);
            assertThat(ids(stuck))
                    .contains("sglang-graphs", "spread", "smaller-weights")
                    .doesNotContain("sglang-larger");
            assertThat(text(remedy(stuck, "sglang-graphs").why())).contains("0.90");
            assertThat(ids(one("launch_server --mem-fraction-static 0.7\n" + message)))
                    .startsWith("sglang-larger")
                    .doesNotContain("sglang-graphs");
        }

        @Test
        void of_llama_cpp_whose_cache_found_no_room_has_one_failure_and_a_smaller_context_first() {
            Diagnosis d =
                    one("ggml_backend_cuda_buffer_type_alloc_buffer: allocating 90000.00 MiB on device 1: cudaMalloc"
                            + " failed: out of memory\nllama_kv_cache_init: failed to allocate buffer for kv cache\n");
            assertThat(d.report().triedBytes()).isEqualTo(OptionalLong.of(90000L << 20));
            assertThat(ids(d)).startsWith("fewer-requests").doesNotContain("stop-others");
            assertThat(commands(d)).startsWith("--ctx-size 4096");
            assertThat(text(remedy(d, "fewer-requests").title())).contains("context");
        }
    }
}

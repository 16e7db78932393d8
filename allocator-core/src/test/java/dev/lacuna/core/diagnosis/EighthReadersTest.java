package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.FULL;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.all;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.cuda;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an eighth pair of readers' logs brought up, in words of our own. */
class EighthReadersTest {
    @Nested
    class the_host {
        @Test
        void is_asked_by_llama_cpp_for_a_cache_on_the_cpu() {
            Diagnosis d =
                    one("ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 137438953504\n"
                            + "llama_kv_cache_init: failed to allocate buffer for kv cache\n");
            assertThat(d.report().isOfHost()).isTrue();
            assertThat(d.report().triedBytes()).hasValue(137438953504L);
            assertThat(commands(d)).startsWith("--ctx-size N").noneMatch(c -> c.contains("nvidia-smi"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "earlyoom[8]: low memory! at or below SIGTERM limits: mem  3.00%, swap 10.00%",
                    "systemd-oomd[5]: Killed /user.slice/a.scope due to memory pressure for /user.slice being 57.97% > 50.00%"
                })
        void was_short_for_a_daemon_with_limits_of_its_own(String line) {
            Diagnosis d = one(line + "\n");
            assertThat(d.cause()).isEqualTo(Cause.LIMIT);
            assertThat(ids(d)).startsWith("kill-daemon");
        }

        @Test
        void of_a_job_is_looked_at_by_the_batch_systems_own_tool() {
            Diagnosis d = one("slurmstepd: error: Detected 1 oom-kill event(s) in StepId=191.batch cgroup.\n");
            assertThat(commands(d)).anyMatch(c -> c.startsWith("sacct ")).noneMatch(c -> c.startsWith("ps "));
        }

        @Test
        void loses_nothing_to_leftovers_where_one_array_is_larger_than_most_hosts() {
            String failed = "DefaultCPUAllocator: not enough memory: you tried to allocate %s bytes.\n";
            assertThat(ids(one(failed.formatted("318767104000")))).doesNotContain("host-others", "paging-file");
            assertThat(ids(one(failed.formatted("31876710400")))).contains("host-others");
        }

        @Test
        void has_no_pieces_for_a_size_that_cannot_be_meant() {
            Diagnosis d = one("what():  OpenCV(4.5.4) alloc.cpp:73: error: (-4:Insufficient memory) Failed to allocate"
                    + " 512956604754240 bytes in function 'OutOfMemoryError'\n");
            assertThat(ids(d)).containsExactly("check-size");
        }

        @Test
        void is_not_what_paddles_wrapper_means() {
            assertThat(all("MemoryError:\n\n----\nC++ Traceback (most recent call last):\n----\nNot support stack"
                            + " backtrace yet.\n\nError Message Summary:\n----\nResourceExhaustedError:\n\nOut of memory"
                            + " error on GPU 0. Cannot allocate 128.000000MB memory on GPU 0, 7.995605GB memory has been"
                            + " allocated and available memory is only 0.000000B.\n"))
                    .singleElement()
                    .satisfies(d -> assertThat(d.report().framework()).isEqualTo(Framework.PADDLE));
            assertThat(one("MemoryError:\n").report().isOfHost()).isTrue();
        }
    }

    @Nested
    class a_server {
        private static final String WORKER = "(VllmWorker rank=%d pid=7) ";

        @Test
        void whose_ranks_are_seen_is_split_over_a_power_of_two_and_within_one_machine() {
            assertThat(commands(one(WORKER.formatted(5) + FULL))).noneMatch(c -> c.contains("tensor-parallel"));
            assertThat(commands(one(WORKER.formatted(2) + FULL))).contains("--tensor-parallel-size 8");
        }

        @Test
        void whose_workers_have_no_number_is_known_by_how_many_there_are() {
            String line = "(VllmWorkerProcess pid=%d) INFO model_runner.py:1025] Loading model weights took 3.7 GB\n";
            assertThat(commands(one(line.formatted(1) + line.formatted(2) + line.formatted(3) + FULL)))
                    .contains("--tensor-parallel-size 8");
        }

        @Test
        void that_holds_more_than_its_share_gains_nothing_by_a_smaller_one() {
            String start = "vllm serve m --gpu-memory-utilization %s\n";
            assertThat(ids(one(start.formatted("0.6") + FULL))).doesNotContain("vllm-utilisation");
            assertThat(ids(one(start.formatted("0.95") + FULL))).contains("vllm-utilisation");
        }

        @Test
        void of_pictures_is_told_its_own_setting() {
            assertThat(commands(one("[InvokeAI]::INFO --> Graph stats\n" + FULL)))
                    .contains("enable_partial_loading: true   # invokeai.yaml")
                    .doesNotContain("--medvram");
            assertThat(commands(one("stable-diffusion-webui\n" + FULL))).contains("--medvram");
        }

        @Test
        void of_pictures_says_on_the_same_line_what_it_wanted() {
            Diagnosis d = one("[Memory Management] Target: KModel, Free GPU: 3232.70 MB, Model Require: 11350.07 MB,"
                    + " Remaining: -8306.37 MB, CUDA error: out of memory\n");
            assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
            assertThat(d.report().freeBytes()).hasValue((long) (3232.70 * (1 << 20)));
            assertThat(ids(d)).doesNotContain("stop-others", "smaller-micro-batch");
        }

        @Test
        void that_tiles_already_is_not_told_to() {
            assertThat(commands(one("pipe.vae.enable_tiling()\n" + FULL))).noneMatch(c -> c.contains("enable_tiling"));
            assertThat(commands(one("pipe.vae.enable_slicing()\n" + FULL))).contains("pipe.vae.enable_tiling()");
        }

        @Test
        void under_llama_cpp_makes_no_call_of_openvinos() {
            String failed =
                    "[GPU] Exceeded max size of memory object allocation: requested 4831838208 bytes, but max alloc"
                            + " size supported by device is 1073741824 bytes.\n";
            assertThat(ids(one("./llama-cli -ngl 10 -c 8192\n" + failed))).doesNotContain("openvino-large");
            assertThat(ids(one(failed))).contains("openvino-large");
        }
    }

    @Nested
    class a_script {
        @Test
        void that_quantises_trains_nothing() {
            assertThat(ids(one("from auto_gptq import AutoGPTQForCausalLM, BaseQuantizeConfig\n" + FULL)))
                    .doesNotContain("recompute", "swap", "delete-loss", "shard");
        }

        @Test
        void with_deepspeeds_configuration_is_told_keys_of_it() {
            Diagnosis d = one("train.py\nMy ds_config.json: {\"train_micro_batch_size_per_gpu\": \"auto\"}\n" + FULL);
            assertThat(commands(d))
                    .contains("\"zero_optimization\": {\"stage\": 2}", "\"bf16\": {\"enabled\": true}")
                    .noneMatch(c -> c.contains("FullyShardedDataParallel") || c.startsWith("AdamW"));
        }

        @Test
        void under_the_first_deepspeed_is_told_no_key_that_came_later() {
            Diagnosis d = one("  File \"/x/deepspeed/pt/deepspeed_zero_optimizer.py\", line 7, in"
                    + " initialize_optimizer_states\n    state['exp_avg'] = torch.zeros_like(p.data)\n" + FULL);
            assertThat(ids(d))
                    .doesNotContain(
                            "shard", "optimizer-offload", "smaller-micro-batch", "mixed-precision", "delete-loss");
        }

        @Test
        void that_shards_and_never_evaluates_is_told_neither() {
            String options = "torchrun train.py --fsdp \"full_shard auto_wrap\" --evaluation_strategy \"no\"\n";
            assertThat(ids(one(options + FULL))).doesNotContain("shard", "no-grad");
            assertThat(ids(one("torchrun train.py\n" + FULL))).contains("shard").doesNotContain("no-grad");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "I set 1 batch per GPU",
                    "using the lowest batch count",
                    "even with a batch size of 1",
                    "I lowered the batch size to one"
                })
        void of_one_sample_says_so_in_words(String words) {
            assertThat(ids(one("train.py\n" + words + "\n" + FULL))).doesNotContain("smaller-micro-batch");
        }

        @ParameterizedTest
        @ValueSource(strings = {"try using a batch size of 1", "reduce the batch size to 1", "with a batch size of 16"})
        void of_more_samples_may_be_told_to_take_one(String words) {
            assertThat(ids(one("train.py\n" + words + "\n" + FULL))).contains("smaller-micro-batch");
        }

        @Test
        void that_loads_quantised_weights_has_none_to_quantise() {
            String load = "    return t.to(\n  File \"/x/%s\", line 330, in to\n";
            assertThat(ids(one(load.formatted("bitsandbytes/nn/modules.py") + FULL)))
                    .doesNotContain("load-type");
            assertThat(ids(one(load.formatted("torch/nn/modules/module.py") + FULL)))
                    .contains("load-type");
        }

        @Test
        void that_packs_its_samples_sorts_none() {
            String gap = cuda("11.74 GiB", "251.98 GiB", "6.94 GiB", "229.04 GiB", "12.46 GiB");
            assertThat(ids(one("/x/torchtitan/train.py\n" + gap))).doesNotContain("bucket-lengths");
            assertThat(ids(one("/x/train.py\n" + gap))).contains("bucket-lengths");
        }
    }

    @Test
    void a_library_that_was_built_without_the_gpu_is_built_anew() {
        String failed =
                "ValueError: Some modules are dispatched on the CPU or the disk. Make sure you have enough GPU RAM"
                        + " to fit the quantized model.\n";
        String warned = "The installed version of bitsandbytes was compiled without GPU support.\n";
        assertThat(ids(one(warned + failed))).startsWith("gpu-build");
        assertThat(ids(one(failed))).doesNotContain("gpu-build");
    }

    @Test
    void a_pool_of_rmms_may_have_no_limit_but_the_device() {
        Diagnosis d =
                one("MemoryError: std::bad_alloc: RMM failure at:/x/pool_memory_resource.hpp:182: Maximum pool size"
                        + " exceeded\n");
        assertThat(d.confidence()).isEqualTo(Confidence.MEDIUM);
        assertThat(ids(d)).contains("rmm-pool");
        Diagnosis first =
                one("RMM failure at: pool_memory_resource.hpp:100: Initial pool size exceeds the maximum pool size!\n");
        assertThat(DiagnosedLogs.said(first)).doesNotContain("could not grow");
    }

    @Test
    void windows_refuses_what_it_cannot_commit_while_the_device_has_room() {
        String room = cuda("80.00 MiB", "12.00 GiB", "6.31 GiB", "4.64 GiB", "14.47 MiB");
        assertThat(ids(one("C:\\pinokio\\bin\\python.exe\n" + room)))
                .startsWith("paging-file")
                .doesNotContain("hidden-limit");
        assertThat(ids(one(room))).startsWith("hidden-limit");
    }

    @Test
    void xla_within_a_session_of_tensorflow_reads_none_of_jaxs_variables() {
        Diagnosis d = one("tensorflow.python.framework.errors_impl.ResourceExhaustedError: 2 root error(s) found.\n"
                + "  (0) Resource exhausted: Out of memory while trying to allocate 68852648264 bytes.\n"
                + "\t [[{{node cluster_0_1/xla_run}}]]\n");
        assertThat(d.report().framework()).isEqualTo(Framework.TENSORFLOW);
        assertThat(d.report().triedBytes()).hasValue(68852648264L);
        assertThat(commands(d)).noneMatch(c -> c.startsWith("XLA_"));
    }

    @Test
    void wgpu_says_so_in_a_validation_error() {
        Diagnosis d = one(
                "thread 'main' panicked at 'wgpu error: Validation Error\n\nCaused by:\n    In Device::create_buffer\n"
                        + "      note: label = `Buffer`\n    Not enough memory left\n");
        assertThat(d.report().library()).contains("wgpu");
    }

    @Test
    void words_of_wgpus_in_a_sentence_are_none() {
        assertThat(all("There is not enough memory left for a validation error in the device\n"))
                .isEmpty();
    }
}

package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.advice;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.all;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.remedy;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.said;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a sixth reader's logs brought up, in words of our own. */
class SixthReadersTest {
    private static final String NO_BLOCKS =
            "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`\n";

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
        void is_told_where_no_share_holds_its_weights_beside_the_others() {
            Diagnosis d = one(beside("12.00", "11.80"));
            assertThat(ids(d)).startsWith("stop-others", "beside-others");
            assertThat(text(remedy(d, "beside-others").why())).contains("12.00 GiB", "30.0 MiB", "of 60.00 GiB");
            assertThat(ids(d)).doesNotContain("vllm-utilisation");
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

        @Test
        void a_length_that_nobody_means_costs_nothing_else() {
            String states = "Maximum concurrency for 999999999,999,999 tokens, --max-model-len 999999999,999\n";
            assertThat(one(states + NO_BLOCKS).cause()).isEqualTo(one(NO_BLOCKS).cause());
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
            assertThat(commands(d)).startsWith("--ctx-size N");
            assertThat(text(remedy(d, "fewer-requests").title())).contains("context");
        }
    }

    @Nested
    class figures {
        private static final String STATS =
                "2021-01-01 10:00:00.000001: I tensorflow/core/common_runtime/bfc_allocator.cc:1] Stats: \n"
                        + "Limit:        8000000000\nInUse:        6000000000\n";

        private static String tensor(int rows) {
            return "2021-01-01 10:00:00.000002: W tensorflow/core/framework/op_kernel.cc:1] OP_REQUIRES failed:"
                    + " Resource exhausted: OOM when allocating tensor with shape[" + rows
                    + ",1000000] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n";
        }

        @Test
        void of_tensorflows_pool_and_a_shape_make_a_capacity() {
            Diagnosis d = one(STATS + tensor(700));
            assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
            assertThat(said(d)).contains("2.61 GiB by its shape", "1.86 GiB left", "does not move that limit");
            assertThat(ids(d)).doesNotContain("stop-others");
            assertThat(one(STATS + tensor(300)).cause()).isEqualTo(Cause.UNKNOWN);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "2025-01-01 10:00:00.000001: W external/xla/xla/tsl/framework/bfc_allocator.cc:1] Allocator (GPU_0_bfc)"
                            + " ran out of memory trying to allocate 1.50TiB (rounded to 1649267441664)requested by op \n",
                    "E0101 10:00:00.000001 1 gpu_cudamallocasync_allocator.cc:1] gpu_async_0 cuMemAllocAsync failed to"
                            + " allocate 1300000000000 bytes: RESOURCE_EXHAUSTED: : CUDA_ERROR_OUT_OF_MEMORY: out of memory\n",
                })
        void above_what_any_device_holds_were_worked_out_wrong(String log) {
            Diagnosis d = one(log);
            assertThat(d.cause()).isEqualTo(Cause.OVERSIZED_REQUEST);
            assertThat(ids(d)).containsExactly("check-size");
        }

        @Test
        void of_an_array_on_a_host_may_be_as_large() {
            assertThat(ids(one("numpy.core._exceptions.MemoryError: Unable to allocate 1.50 TiB for an array with shape"
                            + " (1, 2) and data type int8\n")))
                    .doesNotContain("check-size");
        }

        private static final String SMALL_CARD =
                "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 9.00 GiB. GPU 0 has a total capacity of 8.00"
                        + " GiB of which 7.90 GiB is free. Of the allocated memory 0 bytes is allocated by PyTorch, and 0 bytes is"
                        + " reserved by PyTorch but unallocated.\n";

        @Test
        void of_most_of_a_card_that_is_free_tell_of_no_larger_one() {
            Diagnosis d =
                    one("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total"
                            + " capacity of 24.00 GiB of which 21.00 GiB is free. Of the allocated memory 2.00 GiB is allocated"
                            + " by PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated.\n");
            assertThat(d.headline().key()).isEqualTo("headline.outside-the-pool.free-enough");
        }

        @Test
        void of_a_larger_card_elsewhere_point_below_the_framework() {
            String kernel = "[    1.0] amdgpu 0000:01:00.0: amdgpu: VRAM: 65536M 0x0000008000000000 (65536M used)\n";
            for (String log :
                    List.of(kernel + SMALL_CARD, SMALL_CARD.replace("7.90 GiB is free", "40.00 GiB is free"))) {
                Diagnosis d = one(log);
                assertThat(d.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
                assertThat(d.confidence()).isEqualTo(Confidence.LOW);
                assertThat(ids(d)).startsWith("hidden-limit").doesNotContain("split-request", "stop-others");
            }
            assertThat(one(SMALL_CARD).cause()).isEqualTo(Cause.OVERSIZED_REQUEST);
            assertThat(one(kernel.replace("65536M", "8192M") + SMALL_CARD).cause())
                    .isEqualTo(Cause.OVERSIZED_REQUEST);
        }

        @Test
        void that_meet_rocms_cap_within_their_digits_are_its_limit() {
            Diagnosis d = one("torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 MiB. GPU 0 has a total"
                    + " capacity of 64.00 GiB of which 60.00 GiB is free. 2.00 GiB allowed; Of the allocated memory 1.95 GiB"
                    + " is allocated by PyTorch, and 48.00 MiB is reserved by PyTorch but unallocated.\n");
            assertThat(d.cause()).isEqualTo(Cause.LIMIT);
            assertThat(ids(d)).startsWith("raise-limit");
            assertThat(said(d)).doesNotContain("was not crossed", "To within the printed digits");
        }

        @Test
        void of_canns_request_are_said() {
            assertThat(said(one(
                            "EL0004: Failed to allocate memory.\n Call rtMalloc fail, purpose: page caching, type = 2,"
                                    + " size:2147483648, device_id:1\n")))
                    .contains("asked for (2.00 GiB)");
        }
    }

    @Nested
    class who_is_advised {
        private static final String MPS =
                "MPS backend out of memory (MPS allocated: 9.00 GiB, other allocations: 8.00 GiB, max allowed: 17.10 GiB)."
                        + " Tried to allocate 300.00 MiB on private pool.\n";

        private static String old(String tried, String allocated, String reserved) {
            return "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate " + tried
                    + " (GPU 0; 16.00 GiB total"
                    + " capacity; " + allocated + " GiB already allocated; 10.00 MiB free; " + reserved
                    + " GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting"
                    + " max_split_size_mb\n";
        }

        @Test
        void a_mac_without_a_training_hears_nothing_of_one() {
            Diagnosis d = one("RuntimeError: " + MPS);
            assertThat(advice(d)).doesNotContain("global batch", "micro-batch", "activation");
            assertThat(ids(d)).doesNotContain("recompute");
            assertThat(ids(one("  File \"train.py\", line 3\n    loss.backward()\nRuntimeError: " + MPS)))
                    .contains("recompute");
        }

        @Test
        void comfyui_on_a_mac_has_no_use_for_low_vram() {
            assertThat(commands(one("ComfyUI\n" + MPS))).doesNotContain("--lowvram");
            assertThat(ids(one("ComfyUI\n" + MPS))).contains("smaller-pictures");
        }

        @ParameterizedTest
        @CsvSource({
            "we train on a Tesla V100,float16",
            "we train on a GTX 1080 Ti,float16",
            "we train on something,float16",
            "we train on an A100,bfloat16",
            "we train on an RTX 3090,bfloat16"
        })
        void half_precision_is_the_cards(String line, String type) {
            assertThat(commands(one(line + " with train.py\n" + old("600.00 MiB", "15.00", "15.10"))))
                    .contains("torch.autocast(\"cuda\", dtype=torch." + type + ")");
        }

        @Test
        void an_optimizers_step_is_short_of_its_states() {
            String step = "  File \"/x/torch/optim/adamw.py\", line 3, in adamw\n    denom = exp_avg_sq.sqrt()\n";
            String failed = old("600.00 MiB", "15.00", "15.10");
            Diagnosis d = one("training with deepspeed stage 1\n" + step + failed);
            assertThat(ids(d))
                    .startsWith("shard", "optimizer-offload", "optimizer-bits")
                    .doesNotContain("recompute", "swap");
            assertThat(commands(d)).startsWith("\"zero_optimization\": {\"stage\": 2}");
            assertThat(commands(one(step + failed))).noneMatch(c -> c.contains("zero_optimization"));
            assertThat(ids(one("python3 train.py\n" + failed)))
                    .doesNotContain("optimizer-offload")
                    .contains("recompute");
            String closure = step + "  File \"/x/model.py\", line 7, in training_step\n    x = self.block(x)\n";
            assertThat(ids(one(closure + failed)))
                    .as("the loss, computed within the step")
                    .doesNotContain("optimizer-offload")
                    .contains("recompute");
        }

        @ParameterizedTest
        @ValueSource(strings = {"llm_int8_enable_fp32_cpu_offload", "load_in_8bit_fp32_cpu_offload"})
        void quantised_weights_that_do_not_fit_are_no_matter_of_batches(String argument) {
            Diagnosis d =
                    one("ValueError: Some modules are dispatched on the CPU or the disk. Make sure you have enough GPU"
                            + " RAM to fit the quantized model. Set `" + argument
                            + "=True` and pass a custom `device_map`\n");
            assertThat(ids(d))
                    .startsWith("load-type", "load-sharded", "load-offload")
                    .doesNotContain("smaller-work");
            assertThat(commands(d))
                    .as("the older message names an argument that never was")
                    .contains("BitsAndBytesConfig(…, llm_int8_enable_fp32_cpu_offload=True)");
        }

        @Test
        void pytorchs_own_setting_comes_first_where_the_message_may_be_older_than_two() {
            Diagnosis d = one(old("1.50 GiB", "11.00", "15.00"));
            assertThat(ids(d)).startsWith("max-split-size").contains("optimisation-on");
            assertThat(text(remedy(d, "optimisation-on").why())).contains("needs PyTorch 2.0 or later");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Drücken Sie eine beliebige Taste . . .",
                    "Press any key to continue . . .",
                    "请按任意键继续. . .",
                    "Appuyez sur une touche pour continuer...",
                    "Presione una tecla para continuar . . ."
                })
        void a_console_that_waits_for_a_key_is_windows(String pause) {
            String failed = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total"
                    + " capacity of 16.00 GiB of which 0 bytes is free. Of the allocated memory 11.00 GiB is allocated by"
                    + " PyTorch, and 4.00 GiB is reserved by PyTorch but unallocated.\n";
            assertThat(ids(one(failed))).contains("expandable-segments");
            assertThat(ids(one(failed + pause + "\n"))).doesNotContain("expandable-segments");
        }

        @Test
        void what_the_hosts_memory_refused_is_not_swapped_to_it() {
            assertThat(ids(one("python3 train.py\n" + old("200.00 MiB", "40.00", "40.00"))))
                    .doesNotContain("swap")
                    .contains("recompute");
        }

        @Test
        void windows_commits_what_is_small_to_its_paging_file() {
            assertThat(ids(one("RuntimeError: [enforce fail at ..\\c10\\core\\impl\\alloc_cpu.cpp:1] data."
                            + " DefaultCPUAllocator: not enough memory: you tried to allocate 9437184 bytes.\n")))
                    .startsWith("paging-file");
        }

        @Test
        void workers_of_gunicorn_serve() {
            assertThat(ids(one(
                            "gunicorn -w 9 app:app\nOut of memory error on GPU 0. Cannot allocate 30.000000MB memory on"
                                    + " GPU 0, available memory is only 10.000000MB.\n")))
                    .doesNotContain("smaller-micro-batch");
        }
    }

    @Nested
    class what_had_been_missed {
        @Test
        void words_that_stand_behind_their_own_source_on_one_line() {
            Diagnosis d = one("raise ValueError(\"No available memory for the cache blocks. \" " + NO_BLOCKS);
            assertThat(d.report().framework()).isEqualTo(Framework.VLLM);
            assertThat(all("raise ValueError(\"No available memory for the cache blocks. Try increasing\")\n"))
                    .isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "    self._rlock = ctx.Lock()\n",
                    "    sl = self._semlock = _multiprocessing.SemLock(\n",
                    "    SemLock.__init__(self, SEMAPHORE, 1, 1, ctx=ctx)\n"
                })
        void a_lock_that_found_no_place_in_shared_memory(String frame) {
            Diagnosis d = one("  File \"/x/multiprocessing/y.py\", line 7, in __init__\n" + frame
                    + "OSError: [Errno 28] No space left on device\n");
            assertThat(d.cause()).isEqualTo(Cause.LIMIT);
            assertThat(d.confidence()).isEqualTo(Confidence.MEDIUM);
            assertThat(said(d)).contains("/dev/shm", "the disk is not what is meant");
            assertThat(commands(d)).contains("df -h /dev/shm");
        }

        @Test
        void a_full_disk_is_none_of_it() {
            assertThat(all("    shutil.copy(a, b)\nOSError: [Errno 28] No space left on device\n"))
                    .isEmpty();
        }

        @Test
        void a_file_of_shared_memory_whose_error_was_not_printed() {
            assertThat(one("RuntimeError: unable to write to file </torch_12_345> at /src/aten/THAllocator.c:9\n")
                            .report()
                            .library())
                    .contains("torch");
        }
    }
}

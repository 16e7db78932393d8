package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.FULL;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.all;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.cuda;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a seventh pair of readers' logs brought up, in words of our own. */
class SeventhReadersTest {
    @Nested
    class an_evaluation {
        private final Diagnosis d = one("  File \"/x/transformers/trainer.py\", line 7, in evaluation_loop\n" + FULL);

        @Test
        void is_made_smaller_by_its_own_arguments_first() {
            assertThat(ids(d)).startsWith("smaller-evaluation");
            assertThat(commands(d)).contains("--per_device_eval_batch_size 1 --eval_accumulation_steps 8");
        }

        @Test
        void has_no_gradients() {
            assertThat(ids(d)).doesNotContain("recompute", "swap", "delete-loss", "smaller-micro-batch");
        }

        @Test
        void is_none_where_a_backward_pass_is_in_the_traceback() {
            Diagnosis trains = one("in evaluate\n    loss.backward()\n" + FULL);
            assertThat(ids(trains)).contains("recompute").doesNotContain("smaller-evaluation");
        }
    }

    @Test
    void data_that_is_mapped_has_batches_of_its_own() {
        Diagnosis d = one("train.py --train_batch_size=1\n    data = dataset.map(embed, batched=True)\n" + FULL);
        assertThat(commands(d)).anyMatch(c -> c.startsWith("dataset.map("));
        assertThat(ids(d)).doesNotContain("smaller-samples", "smaller-micro-batch");
    }

    @Test
    void a_tried_that_is_printed_as_free_was_not_free() {
        Diagnosis d = one(cuda("4.44 GiB", "10.58 GiB", "4.44 GiB", "5.77 GiB", "178.00 MiB"));
        assertThat(d.cause()).isEqualTo(Cause.FRAGMENTATION);
        assertThat(ids(d)).doesNotContain("hidden-limit");
    }

    @Test
    void others_that_hold_a_third_come_before_the_pieces() {
        Diagnosis d = one(cuda("1.00 GiB", "14.75 GiB", "985.00 MiB", "8.46 GiB", "543.00 MiB"));
        assertThat(DiagnosisText.heading(Locale.ENGLISH, d)).isEqualTo("fragmentation");
        assertThat(ids(d)).startsWith("stop-others");
    }

    @Nested
    class a_server {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "python3 -m vllm.entrypoints.openai.api_server --model m",
                    "warming up sampler with 256 requests"
                })
        void of_vllm_is_told_nothing_of_training(String line) {
            assertThat(ids(one(line + "\n" + FULL)))
                    .contains("vllm-utilisation")
                    .doesNotContain("recompute", "shard");
        }

        @Test
        void inside_a_trainer_is_told_through_the_trainer() {
            Diagnosis d = one("(ActorModelRayActor pid=7) vllm/device_allocator/cumem.py wake_up\n" + FULL);
            assertThat(commands(d)).contains("gpu_memory_utilization=0.40");
            assertThat(ids(d)).doesNotContain("smaller-weights", "fewer-requests", "vllm-utilisation");
        }

        @Test
        void inside_a_trainer_whose_cache_found_no_room_gets_more_all_the_same() {
            Diagnosis d = one("(LLMRayActor pid=7) ValueError: No available memory for the cache blocks. Try increasing"
                    + " `gpu_memory_utilization`\n");
            assertThat(ids(d)).contains("vllm-cache").doesNotContain("colocated-engine");
        }

        @Test
        void of_ollama_that_loads_for_one_request_already_is_told_what_its_log_says_is_off() {
            String load =
                    "msg=load request=\"{Parallel:1 BatchSize:512 FlashAttention:false KvSize:4096 KvCacheType:}\"\n";
            String failed =
                    "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9000.00 MiB on device 0: cudaMalloc failed:"
                            + " out of memory\n";
            assertThat(commands(one("ollama NvMapMemAllocInternalTagged\n" + load + failed)))
                    .contains("OLLAMA_FLASH_ATTENTION=1", "sudo tegrastats")
                    .noneMatch(c -> c.contains("NUM_PARALLEL") || c.contains("SCHED_SPREAD"));
        }

        @Test
        void of_triton_may_have_been_told_to_take_memory_itself() {
            Diagnosis d = one("tritonserver --cuda-memory-pool-byte-size=0:15000000000\n" + FULL);
            assertThat(ids(d)).contains("triton-pool");
        }

        @Test
        void that_uses_a_whole_machine_is_not_spread_further() {
            String failed = "Executor creation failed due to insufficient GPU memory.\n";
            assertThat(commands(one("trtllm-serve m --tp 8\n" + failed))).noneMatch(c -> c.contains("tp_size"));
            assertThat(commands(one("trtllm-serve m --tp 2\n" + failed))).contains("--tp_size 4");
        }

        @Test
        void whose_cache_holds_no_sequence_gets_a_larger_one() {
            Diagnosis d =
                    one("unexpected error: maxTokensInPagedKvCache (2000) must be large enough to process at least 1"
                            + " sequence to completion\n");
            assertThat(d.cause()).isEqualTo(Cause.LIMIT);
            assertThat(ids(d)).startsWith("trtllm-larger").doesNotContain("trtllm-cache");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RuntimeError: Insufficient VRAM in split for model and cache | exllamav3 | -1",
                "exception autotuning: CUDA error 2 allocating 2147747325-byte buffer: out of memory | tensorrt | 2147747325",
                "tacticOptimizer.cpp (1523) - OutOfMemory Error in nvinfer1::builder::computeCosts: 0 | tensorrt | -1",
                "RMM failure at: pool_memory_resource.hpp:100: Initial pool size exceeds the maximum pool size! | rmm | -1",
                "com.nvidia.spark.rapids.jni.SplitAndRetryOOM: Attempted to handle a split | rmm | -1",
                "Model loading aborted due to insufficient system resources. Overloading the system | lm-studio | -1"
            })
    void more_libraries_are_known_by_their_phrases(String line, String library, long tried) {
        Diagnosis d = one(line + "\n");
        assertThat(d.report().library()).contains(library);
        assertThat(d.report().triedBytes().orElse(-1)).isEqualTo(tried);
    }

    @Nested
    class the_host {
        private static final String KILLED = "DataLoader worker (pid 7) is killed by signal: Killed.\n";

        @Test
        void of_a_notebook_service_is_nobodys_container() {
            String sized =
                    "Memory cgroup out of memory: Killed process 7 (python3) total-vm:9000000kB, anon-rss:8000000kB\n";
            for (String place :
                    List.of("On Google Colab (free)", "/kaggle/working/run.ipynb", "/home/aistudio/run.py")) {
                List<String> commands = all(place + "\n" + sized).stream()
                        .flatMap(d -> commands(d).stream())
                        .toList();
                assertThat(commands).noneMatch(c -> c.startsWith("docker"));
            }
            assertThat(ids(one("On Google Colab\n" + KILLED))).contains("host-runtime");
            assertThat(ids(one(KILLED))).doesNotContain("host-runtime");
        }

        @Test
        void that_offloads_is_told_of_offloading_first() {
            Diagnosis d = one("[INFO] Before initializing optimizer states\nexits with return code = -9\n");
            assertThat(ids(d)).startsWith("host-offload");
        }

        @Test
        void that_lacks_one_large_piece_gains_nothing_by_fewer_loaders() {
            Diagnosis d = one(
                    "trainer.fit(model)\nRuntimeError: [enforce fail at alloc_cpu.cpp:114] DefaultCPUAllocator: can't"
                            + " allocate memory: you tried to allocate 42000000000 bytes.\n");
            assertThat(ids(d)).doesNotContain("host-workers");
        }

        @Test
        void of_windows_that_imports_in_spawned_processes_needs_fewer_of_them() {
            Diagnosis d = one("  File \"C:\\\\py\\\\lib\\\\multiprocessing\\spawn.py\", line 1, in spawn_main\n"
                    + "OSError: [WinError 1455] The paging file is too small for this operation to complete. Error loading"
                    + " \"C:\\\\py\\\\torch\\\\lib\\\\c10.dll\"\n");
            assertThat(ids(d))
                    .startsWith("paging-file")
                    .contains("host-workers")
                    .doesNotContain("host-pieces");
        }
    }

    @Test
    void a_device_of_half_a_gigabyte_is_graphics() {
        String free = "17179869183.96 GiB";
        Diagnosis d =
                one("HIP out of memory. Tried to allocate 72.00 MiB. GPU 0 has a total capacity of 512.00 MiB of which "
                        + free
                        + " is free. Of the allocated memory 292.00 MiB is allocated by PyTorch, and 137.00 MiB is reserved by"
                        + " PyTorch but unallocated.\n");
        assertThat(ids(d)).startsWith("integrated-device").doesNotContain("get-figures");
    }

    @Test
    void a_workspace_of_torch_npu_has_a_setting_that_its_message_names() {
        Diagnosis d =
                one("[rank0]:[E522] NPU out of memory. NPUWorkspaceAllocator tried to allocate 216.00 MiB(NPU 0; 61.27"
                        + " GiB total capacity; 90.23 MiB free). If you want to reduce memory usage, take a try to set the"
                        + " environment variable TASK_QUEUE_ENABLE=1.\n");
        assertThat(commands(d)).startsWith("TASK_QUEUE_ENABLE=1");
        assertThat(ids(d)).doesNotContain("get-figures");
    }

    @ParameterizedTest
    @ValueSource(strings = {"integrated gradients", "site/wp-content/x", "/srv/content/x", "shape inference failed"})
    void words_that_only_look_like_a_place_are_none(String line) {
        String others = cuda("1.00 GiB", "14.75 GiB", "985.00 MiB", "8.46 GiB", "543.00 MiB");
        assertThat(ids(one(line + "\n" + FULL))).isEqualTo(ids(one(FULL)));
        assertThat(commands(one(line + "\n" + others))).isEqualTo(commands(one(others)));
        assertThat(ids(one(line + "\nDataLoader worker (pid 7) is killed by signal: Killed.\n")))
                .doesNotContain("host-runtime");
    }

    @Test
    void a_pool_that_a_script_has_capped_may_be_raised() {
        Diagnosis d =
                one("cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 800,000,000 bytes (allocated so far:"
                        + " 500,000,000 bytes, limit set to: 1,000,000,000 bytes).\n");
        assertThat(ids(d)).startsWith("cupy-limit");
    }

    @Test
    void weights_that_each_of_several_processes_loads_are_spread_over_no_devices() {
        String load = "  File \"/x/accelerate/utils/modeling.py\", line 4, in set_module_tensor_to_device\n";
        assertThat(commands(one("[rank2]: Traceback\n" + load + FULL))).noneMatch(c -> c.contains("device_map"));
        assertThat(commands(one(load + FULL))).anyMatch(c -> c.contains("device_map"));
    }
}

package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.remedy;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.Remedy;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a thirteenth pair of looks brought up, in words of our own: a remedy needs evidence for it in the log, not merely none
 * against it.
 */
class ThirteenthReadersTest {
    private static final String FULL =
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a"
                    + " total capacity of 24.00 GiB of which 100.00 MiB is free. Of the allocated memory 22.90 GiB is allocated by"
                    + " PyTorch, and 90.00 MiB is reserved by PyTorch but unallocated.\n";

    @Nested
    class a_training {
        private static final String[] OF_TRAININGS = {
            "recompute",
            "swap",
            "mixed-precision",
            "shard",
            "optimisation-on",
            "bucket-lengths",
            "no-grad",
            "delete-loss"
        };

        @Test
        void has_to_be_shown_before_its_remedies_are_offered() {
            assertThat(ids(one("python3 work.py\n" + FULL)))
                    .containsExactly("smaller-micro-batch")
                    .doesNotContain(OF_TRAININGS);
            assertThat(ids(one("  File \"work.py\", line 3, in f\n    loss.backward()\n" + FULL)))
                    .contains("recompute", "swap", "mixed-precision", "shard");
        }

        @Test
        void that_is_not_shown_is_spoken_of_under_a_condition_once() {
            Remedy only = one("python3 work.py\n" + FULL).remedies().get(0);
            assertThat(text(only.title())).isEqualTo("Smaller batches or smaller inputs");
            assertThat(text(only.why())).contains("If this is a training");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{'loss': 1.23, 'grad_norm': 0.4, 'epoch': 0.5}",
                    "accelerate launch work.py",
                    "Epoch: [0][415/1736]\tLoss 0.5",
                    "  for batch in train_loader:"
                })
        void is_shown_by_what_only_trainings_print(String line) {
            assertThat(ids(one(line + "\n" + FULL))).contains("recompute");
        }

        @Test
        void is_not_shown_by_the_name_of_a_model_that_was_tuned() {
            assertThat(ids(one("python3 run_finetuned.py\n" + FULL))).doesNotContain("recompute");
            assertThat(ids(one("python3 finetune.py\n" + FULL))).contains("recompute");
        }

        @Test
        void whose_traceback_runs_through_recomputation_has_it_on() {
            String frame = "  /env/torch/utils/checkpoint.py(12): checkpoint\n";
            assertThat(ids(one("    loss.backward()\n" + frame + FULL))).doesNotContain("recompute");
        }

        @Test
        void of_megatrons_has_samples_of_one_length() {
            String split = FULL.replace("22.90 GiB", "16.00 GiB").replace("90.00 MiB is res", "7.00 GiB is res");
            assertThat(ids(one("  File \"/x/megatron/training.py\", line 3, in train_step\n" + split)))
                    .startsWith("expandable-segments")
                    .doesNotContain("bucket-lengths");
            assertThat(ids(one("  File \"/x/mine.py\", line 3, in train_step\n" + split)))
                    .contains("bucket-lengths");
        }
    }

    @Nested
    class a_figure {
        @Test
        void of_a_length_is_halved_where_the_log_tells_it_and_left_open_where_not() {
            String failed = "vllm/worker.py: start\n" + FULL;
            assertThat(commands(one(failed))).contains("--max-num-seqs 64 --max-model-len N");
            assertThat(commands(one("vllm serve m --max-model-len 4096\n" + failed)))
                    .contains("--max-num-seqs 64 --max-model-len 2048");
        }

        @Test
        void of_slots_is_none_of_tokens() {
            Diagnosis d = one("RuntimeError: alloc_req_slots runs out of memory. Please set a smaller number for"
                    + " `--max-running-requests`. self.req_to_token_pool.available_size()=1, num_reqs=2,\n");
            assertThat(commands(d)).containsExactly("--max-running-requests N");
        }

        @Test
        void is_not_invented_for_tgi() {
            Diagnosis d = one("text_generation_server/models/m.py: warmup\n" + FULL);
            assertThat(commands(d)).contains("--max-batch-prefill-tokens N");
        }
    }

    @Nested
    class others {
        @Test
        void of_whom_nothing_tells_are_looked_for_last_and_under_a_condition() {
            Diagnosis d = one("onnxruntime: [E] Non-zero status code returned while running Conv node. Status Message:"
                    + " /src/bfc_arena.cc:376 void* onnxruntime::BFCArena::AllocateRawInternal(size_t) Failed to allocate"
                    + " memory for requested buffer of size 2830172160\n");
            assertThat(ids(d)).endsWith("stop-others");
            assertThat(text(remedy(d, "stop-others").title())).startsWith("See whether");
            assertThat(text(remedy(d, "stop-others").why())).contains("does not tell of others. If they");
        }

        @Test
        void that_hold_most_of_a_device_leave_nothing_to_a_servers_options() {
            String crowded =
                    "vllm-ascend worker\nRuntimeError: NPU out of memory. Tried to allocate 24.00 MiB (NPU 0; 60.00"
                            + " GiB total capacity; 10.00 GiB already allocated; 10.00 GiB current active; 10.00 MiB free; 10.20 GiB"
                            + " reserved in total by PyTorch)\n";
            assertThat(ids(one(crowded)))
                    .startsWith("stop-others")
                    .doesNotContain("fewer-requests", "smaller-weights", "spread");
        }

        @Test
        void move_no_limit_of_tensorflows_pool() {
            Diagnosis d = one("2017-05-09 13:13:15.1: I tensorflow/core/common_runtime/bfc_allocator.cc:702] Stats: \n"
                    + "Limit:                 10619240448\nInUse:                  2442830848\n"
                    + "MaxInUse:               4884327424\nNumAllocs:                    1147\n"
                    + "MaxAllocSize:           2441871360\n\n"
                    + "2017-05-09 13:13:15.2: W tensorflow/core/framework/op_kernel.cc:1152] Resource exhausted: OOM when"
                    + " allocating tensor with shape[78144,78144]\n");
            assertThat(ids(d)).doesNotContain("stop-others").contains("smaller-micro-batch");
        }

        @Test
        void with_numbers_in_a_row_are_ranks_of_the_job_also_where_one_stands_apart() {
            String listed =
                    "[TRT-LLM] [RANK 2] [E] CUDA out of memory. Tried to allocate 40.00 MiB. GPU 0 has a total capacity"
                            + " of 22.00 GiB of which 20.00 MiB is free. Process 15 has 270.00 MiB memory in use. Including"
                            + " non-PyTorch memory, this process has 1.12 GiB memory in use. Process 451 has 1.16 GiB memory in use."
                            + " Process 453 has 1.28 GiB memory in use. Process 454 has 1.14 GiB memory in use. Process 450 has 7.70"
                            + " GiB memory in use. Process 455 has 1.20 GiB memory in use. Of the allocated memory 880.00 MiB is"
                            + " allocated by PyTorch, and 20.00 MiB is reserved by PyTorch but unallocated.\n";
            Diagnosis d = one(listed);
            assertThat(ids(d)).startsWith("own-device").doesNotContain("stop-others");
            assertThat(remedy(d, "own-device").command())
                    .as("nothing shows a script of its own")
                    .isEmpty();
        }
    }

    @Nested
    class a_setting {
        private static final String TENSOR =
                "ResourceExhaustedError: OOM when allocating tensor with shape[64,8] and type"
                        + " float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n";

        @Test
        void of_tensorflows_is_offered_where_tensorflow_names_it_and_its_hint_turns_nothing_on() {
            assertThat(ids(one(TENSOR))).doesNotContain("tf-async");
            assertThat(ids(one(TENSOR + "If the cause is memory fragmentation maybe the environment variable"
                            + " 'TF_GPU_ALLOCATOR=cuda_malloc_async' will improve the situation.\n")))
                    .contains("tf-async");
        }

        @Test
        void of_xlas_start_is_for_what_fails_beside_its_pool() {
            String own =
                    "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate"
                            + " 4000000 bytes.\n";
            assertThat(ids(one(own))).contains("xla-fraction").doesNotContain("xla-preallocate");
            assertThat(commands(one(own))).noneMatch(c -> c.contains("nvidia-smi"));
            assertThat(commands(one("I use one GPU\n" + own))).anyMatch(c -> c.contains("nvidia-smi"));
        }

        @Test
        void of_pytorchs_needs_pytorch_under_a_collective() {
            String asked = "node1:1:2 [0] include/alloc.h:185 NCCL WARN Failed to CUDA calloc 8388608 bytes\n";
            assertThat(commands(one(asked))).noneMatch(c -> c.startsWith("torch."));
            assertThat(text(remedy(one(asked), "fraction").why())).contains("does not tell which framework");
            assertThat(commands(one("ProcessGroupNCCL.cpp:1 watchdog\n" + asked)))
                    .anyMatch(c -> c.startsWith("torch.cuda"));
        }

        @Test
        void of_hccls_buffers_gives_no_queues() {
            String queues =
                    "RuntimeError: EI0007: [PID: 5] 2025-09-10-03:36:31.100.592 Failed to allocate resource[qp] with"
                            + " info [rank:7]. Reason: Memory resources are exhausted.\n";
            assertThat(ids(one("(VllmWorker rank=3 pid=5) " + queues))).doesNotContain("collective-buffers");
        }

        @Test
        void of_a_cache_is_for_no_weights_that_are_being_loaded() {
            Diagnosis d = one("[TRT-LLM] [RANK 2] [E] Error in load_single_module\n  File \"m.py\", line 1, in"
                    + " load_single_module\n" + FULL);
            assertThat(ids(d)).doesNotContain("trtllm-cache", "fewer-requests");
        }
    }

    @Nested
    class a_server {
        @Test
        void that_could_not_ask_a_device_is_not_told_to_hold_less_on_it() {
            Diagnosis d = one(
                    "Error: llama runner process has terminated: CUDA error: out of memory\n  current device: 0, in"
                            + " function ggml_backend_cuda_device_get_memory at ggml-cuda.cu:2898\n  cudaMemGetInfo(free, total)\n");
            assertThat(ids(d)).startsWith("stop-others").doesNotContain("llama-layers", "fewer-requests", "spread");
        }

        @Test
        void that_captures_graphs_turns_its_own_options_before_the_allocators() {
            String split = FULL.replace("22.90 GiB", "21.00 GiB").replace("90.00 MiB is res", "2.60 GiB is res");
            assertThat(ids(one("  File \"/x/sglang/srt/r.py\", line 9, in init_cuda_graphs\n" + split)))
                    .containsSubsequence("fewer-graphs", "sglang-smaller", "expandable-segments");
        }

        @Test
        void of_language_alone_has_weights_of_fewer_bits() {
            String paddle =
                    "Out of memory error on GPU 0. Cannot allocate 40.0MB memory on GPU 0, 23.6GB memory has been"
                            + " allocated and available memory is only 16.0MB.\n";
            assertThat(ids(one("magic-pdf --version 1.0\n" + paddle))).doesNotContain("smaller-weights");
        }

        @Test
        void inside_a_trainer_is_given_its_share_by_that() {
            Diagnosis d = one(
                    "(LLMRayActor pid=20) ValueError: The model's max seq len (8192) is larger than the maximum number"
                            + " of tokens that can be stored in KV cache (6048). Try increasing `gpu_memory_utilization`.\n");
            assertThat(remedy(d, "vllm-cache").command()).isEmpty();
        }

        @Test
        void whose_log_names_its_layers_may_hold_fewer_also_for_what_it_computes_in() {
            String compute =
                    "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1766.75 MiB on device 0: cudaMalloc failed:"
                            + " out of memory\nggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 1852573696\n";
            assertThat(ids(one(compute))).doesNotContain("llama-layers");
            assertThat(ids(one("llm_load_tensors: offloaded 47/57 layers to GPU\n" + compute)))
                    .contains("llama-layers");
        }

        @Test
        void under_ray_makes_no_tasks_of_its_own() {
            Diagnosis d = one("Memory on the node (IP: 10.0.0.2, ID: 70) where the task (actor ID: 0d,"
                    + " name=RayWorkerVllm.__init__, pid=3, memory used=11.15GB) was running was 12.49GB / 13.15GB (0.950003),"
                    + " which exceeds the memory usage threshold of 0.95. Ray killed this worker (ID: 79) because it was the"
                    + " most recently scheduled task;\n");
            assertThat(ids(d)).doesNotContain("ray-memory", "host-pieces").contains("host-others");
            Diagnosis trainer = one(
                    "python3 -m verl.trainer.main_ppo\n(raylet) node_manager.cc:3084: 4 Workers (tasks / actors)"
                            + " killed due to memory pressure (OOM), 0 Workers crashed due to other reasons at node (ID: 8, IP: 10.0.0.2)\n");
            assertThat(ids(trainer)).doesNotContain("ray-memory").contains("host-others");
        }

        @Test
        void of_pictures_that_brings_weights_to_the_device_makes_none_yet() {
            Diagnosis d = one("  File \"/x/ComfyUI/comfy/model_patcher.py\", line 320, in patch_weight_to_device\n"
                    + "torch.OutOfMemoryError: Allocation on device \n");
            assertThat(ids(d)).contains("image-parts").doesNotContain("smaller-pictures");
        }
    }

    @Nested
    class a_host {
        private static final String BUS =
                "RuntimeError: DataLoader worker (pid 4) is killed by signal: Bus error. It is possible"
                        + " that dataloader's workers are out of shared memory.\n";

        @Test
        void is_no_container_unless_something_says_so() {
            assertThat(text(remedy(one("we use no docker\n" + BUS), "shm-size").title()))
                    .startsWith("If this runs in");
            assertThat(commands(one(BUS)))
                    .contains("DataLoader(…, num_workers=2)")
                    .noneMatch(c -> c.contains("pin_memory"));
        }

        @Test
        void has_loaders_where_something_loads() {
            String killed = "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=9.0 cgroup.\n";
            assertThat(ids(one("Epoch: [0][3/9] Loss 0.5\n" + killed))).doesNotContain("host-workers");
            assertThat(ids(one("  File \"/x/dataloader.py\", line 3, in __next__\n" + killed)))
                    .contains("host-workers");
        }

        @Test
        void of_windows_is_asked_what_it_has_committed_before_its_paging_file_is_blamed() {
            Diagnosis d = one(
                    "  File \"C:\\x\\run.py\", line 1\nMemoryError: Unable to allocate 4.00 MiB for an array with shape"
                            + " (512, 512, 2) and data type float64\n");
            assertThat(text(remedy(d, "paging-file").title())).isEqualTo("Look at what Windows has committed");
        }

        @Test
        void whose_limit_was_hit_is_not_said_to_have_run_out() {
            Diagnosis d = one("slurmstepd: error: Detected 1 oom-kill event(s) in StepId=9.0 cgroup.\n");
            assertThat(d.findings())
                    .filteredOn(finding -> finding.id().equals("host-memory"))
                    .singleElement()
                    .satisfies(
                            finding -> assertThat(text(finding.explanation())).doesNotContain("ran out"));
        }
    }
}

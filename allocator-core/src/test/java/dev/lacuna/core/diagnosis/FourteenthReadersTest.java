package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.remedy;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Diagnosis;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a fourteenth look with fresh eyes brought up, in words of our own. */
class FourteenthReadersTest {
    private static final String FULL =
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a"
                    + " total capacity of 24.00 GiB of which 100.00 MiB is free. Of the allocated memory 22.90 GiB is allocated by"
                    + " PyTorch, and 90.00 MiB is reserved by PyTorch but unallocated.\n";

    private static final String DEEP =
            "  File \"/e/torch/nn/modules/module.py\", line 9, in _call_impl\n    return f(*a)\n";

    @Nested
    class an_evaluation {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "  File \"/e/transformers/trainer.py\", line 8, in evaluation_loop\n    losses = self.step()\n",
                    "[rank3]:   File \"/e/transformers/trainer.py\", line 8, in evaluation_loop\n",
                    "/e/transformers/trainer.py in predict(self, test_dataset)\n   3006 \n-> 3008   output = loop(\n",
                    "File /e/transformers/trainer.py:2113, in Trainer.evaluate(self, data)\n   2110 t = 1\n",
                })
        void is_shown_by_a_frame_far_above_the_message(String frame) {
            String log =
                    "Traceback (most recent call last):\n  File \"train.py\", line 1, in <module>\n    trainer.train()\n"
                            + frame + DEEP.repeat(9) + FULL;
            assertThat(ids(one(log))).contains("smaller-evaluation").doesNotContain("recompute", "smaller-micro-batch");
        }

        @Test
        void is_none_where_a_training_runs_inside_a_function_of_that_name() {
            String log = "Traceback (most recent call last):\n  File \"tune.py\", line 1, in evaluate\n    fit(c)\n"
                    + "  File \"tune.py\", line 7, in train_one\n    loss = model(x)\n" + DEEP.repeat(9) + FULL;
            assertThat(ids(one(log))).contains("smaller-micro-batch").doesNotContain("smaller-evaluation");
        }

        @Test
        void of_an_earlier_traceback_says_nothing_of_this_one() {
            String log =
                    "  File \"/e/transformers/trainer.py\", line 8, in evaluation_loop\nKeyError: 3\nTraceback (most recent"
                            + " call last):\n  File \"train.py\", line 1, in main\n    loss.backward()\n"
                            + DEEP.repeat(9) + FULL;
            assertThat(ids(one(log))).doesNotContain("smaller-evaluation");
        }

        @Test
        void is_shown_by_another_ranks_call_of_a_trainers_prediction() {
            String log =
                    FULL + "a\n".repeat(12) + "[rank1]:     predict_results = trainer.predict(data, **gen_kwargs)\n"
                            + "[rank1]:   File \"/e/llamafactory/train/sft/workflow.py\", line 2, in run_sft\n";
            assertThat(ids(one(log))).contains("smaller-evaluation").doesNotContain("recompute");
        }
    }

    @Nested
    class before_and_at_the_optimizer {
        @Test
        void a_step_is_told_nothing_of_batches() {
            Diagnosis d = one(
                    "  File \"/e/transformers/trainer.py\", line 8, in _inner_training_loop\n    self.optimizer.step()\n"
                            + "  File \"/e/torch/optim/adamw.py\", line 6, in _multi_tensor_adamw\n    x = torch._foreach_sqrt(exp_avg)\n"
                            + FULL);
            assertThat(ids(d)).contains("shard", "optimizer-bits");
            assertThat(ids(d))
                    .doesNotContain("smaller-micro-batch", "bucket-lengths", "mixed-precision", "recompute", "swap");
        }

        @ParameterizedTest
        @ValueSource(strings = {"get_megatron_optimizer", "_setup_for_real_optimizer", "_configure_zero_optimizer"})
        void its_making_is_told_nothing_of_activations(String frame) {
            Diagnosis d = one(
                    "Traceback (most recent call last):\n  File \"train.py\", line 1, in main\n  File \"/e/o.py\", line 8,"
                            + " in " + frame + "\n    o = f()\n"
                            + "  File \"/e/o.py\", line 9, in __init__\n    g()\n".repeat(3) + FULL);
            assertThat(ids(d)).contains("shard").doesNotContain("recompute", "swap", "smaller-micro-batch");
        }
    }

    @Nested
    class others {
        private static final String ROOM =
                "RuntimeError: CUDA out of memory. Tried to allocate 4.00 GiB (GPU 0; 11.00 GiB total"
                        + " capacity; 900.00 MiB already allocated; 5.50 GiB free; 3.00 GiB reserved in total by PyTorch)\n";

        @Test
        void are_not_to_be_stopped_where_what_was_free_would_have_served() {
            assertThat(ids(one("python train.py\n" + ROOM)))
                    .startsWith("hidden-limit")
                    .doesNotContain("stop-others");
        }

        @ParameterizedTest
        @ValueSource(strings = {"windows10 + cuda 10.1", "Win11, RTX 3060", "I am on Windows 10 here"})
        void are_not_asked_for_nvidias_tool_on_a_windows_that_only_prose_names(String line) {
            assertThat(ids(one(line + "\npython train.py\n" + ROOM))).startsWith("paging-file");
        }

        @Test
        void it_is_not_windows_where_another_system_is_named_beside_it() {
            assertThat(ids(one("works on Windows 10, not on Ubuntu\npython train.py\n" + ROOM)))
                    .startsWith("hidden-limit");
        }

        @Test
        void may_be_the_engine_of_a_trainer_that_has_one() {
            Diagnosis d = one(
                    "  File \"/x/slime/backends/loss.py\", line 3, in f\ntorch.OutOfMemoryError: CUDA out of memory. Tried"
                            + " to allocate 30.00 GiB. GPU 0 has a total capacity of 140.00 GiB of which 19.00 GiB is free. Process 77 has"
                            + " 4.00 GiB memory in use. Including non-PyTorch memory, this process has 117.00 GiB memory in use. Of the"
                            + " allocated memory 92.00 GiB is allocated by PyTorch, and 21.00 GiB is reserved by PyTorch but unallocated.\n");
            assertThat(text(remedy(d, "stop-others").why())).contains("would end the job");
            assertThat(text(remedy(d, "stop-others").title())).isEqualTo("See what else uses the device");
        }
    }

    @Nested
    class the_work {
        @Test
        void of_a_script_has_no_requests_and_no_answers() {
            Diagnosis d = one(
                    "python inference/cli_demo.py\nhidden = F.scaled_dot_product_attention(\nRuntimeError: NPU out of memory."
                            + " Tried to allocate 35.00 GiB (NPU 0; 60.00 GiB total capacity; 26.00 GiB already allocated; 26.00 GiB current"
                            + " active; 33.00 GiB free; 26.50 GiB reserved in total by PyTorch)\n");
            assertThat(text(remedy(d, "fewer-requests").title())).isEqualTo("Smaller inputs, or fewer at once");
            assertThat(text(remedy(d, "fewer-requests").why())).doesNotContain("sequences");
        }

        @Test
        void of_a_training_is_called_sequences_by_nobody_who_cannot_know() {
            assertThat(text(remedy(one("python train.py\n" + FULL), "smaller-micro-batch")
                            .title()))
                    .isEqualTo("Smaller micro-batch, or smaller samples");
        }

        @Test
        void of_xla_and_tensorflow_has_no_way_to_swap() {
            assertThat(ids(one(
                            "    out = trainer.train(p)\njaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile"
                                    + " permanent error. Ran out of memory in memory space hbm. Used 21.00G of 7.00G hbm. Exceeded hbm"
                                    + " capacity by 14.00G.\n")))
                    .contains("recompute")
                    .doesNotContain("swap");
        }

        @Test
        void of_mindformers_is_set_in_its_own_file() {
            assertThat(commands(one(
                            "  File \"/x/mindformers/trainer/base.py\", line 7, in training_process\nOut of Memory!!!"
                                    + " Request memory size: 3221225472B, Memory Statistics:\nDevice HBM memory size: 32768M\nMindSpore Used"
                                    + " memory size: 30684M\nMindSpore memory base address: 0x1\n")))
                    .anyMatch(command -> command.contains("compute_dtype"))
                    .noneMatch(command -> command.contains("auto_mixed_precision"));
        }
    }

    @Test
    void a_thread_that_pins_may_have_found_the_device_full_as_well() {
        Diagnosis d = one("  File \"/e/torch/utils/data/_utils/pin_memory.py\", line 9, in pin_memory\n    return"
                + " data.pin_memory(device)\nRuntimeError: CUDA error: out of memory\n");
        assertThat(text(d.headline())).contains("Pinned memory").contains("or the device");
        assertThat(d.findings()).noneMatch(f -> text(f.explanation()).contains("nothing on the device would help"));
        assertThat(ids(d)).startsWith("unpinned");
    }

    @Test
    void nnablas_second_refusal_is_its_failure_and_counted_once() {
        Diagnosis d = one(
                "Running epoch=1\nFailed to allocate. Freeing memory cache and retrying.\nFailed to allocate again.\nError"
                        + " during forward propagation:\n  PadCuda\nRuntimeError: memory error in alloc\n/x/memory.cpp:39\nFailed"
                        + " `this->alloc_impl()`: N4nbla10CudaMemoryE allocation failed.\n");
        assertThat(d.report().library()).contains("nnabla");
    }

    @Nested
    class what_the_log_shows_to_be_on {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "   --gradient_checkpointing",
                    "   --gradient_checkpointing \\",
                    "   --gradient-checkpointing --lr 1e-5",
                    "enable_activation_checkpointing: True",
                    "model.gradient_checkpointing_enable()"
                })
        void is_not_advised(String line) {
            assertThat(ids(one("python train.py\n" + FULL + "\n".repeat(9) + line + "\n")))
                    .doesNotContain("recompute");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "--gradient_checkpointing False",
                    "--gradient-checkpointing=false",
                    "activation_checkpointing: False"
                })
        void is_advised_where_it_is_set_off(String line) {
            assertThat(ids(one("python train.py " + line + "\n" + FULL))).contains("recompute");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "--zero_stage 3 \\",
                    "deepspeed: examples/deepspeed/ds_z3_config.json",
                    "--deepspeed conf/zero3.json"
                })
        void of_sharding_is_not_advised(String line) {
            assertThat(ids(one("python train.py\n" + line + "\n" + FULL))).doesNotContain("shard");
        }

        @Test
        void of_half_precision_is_shown_by_a_scaled_loss() {
            assertThat(ids(one("  File \"t.py\", line 3, in train\n    scaler.scale(loss).backward()\n" + FULL)))
                    .contains("recompute")
                    .doesNotContain("mixed-precision");
        }
    }

    @Nested
    class a_phase {
        @Test
        void of_encoding_before_a_training_has_batches_of_its_own() {
            Diagnosis d = one(
                    "  File \"/c/sd_scripts/train_network.py\", line 4, in train\n    group.new_cache_latents(vae)\n  File"
                            + " \"/c/sd_scripts/library/strategy_sd.py\", line 9, in cache_batch_latents\n"
                            + DEEP.repeat(6) + FULL);
            assertThat(ids(d))
                    .contains("smaller-map")
                    .doesNotContain("smaller-micro-batch", "recompute", "mixed-precision");
            assertThat(commands(d)).contains("--vae_batch_size=1");
        }

        @Test
        void of_validation_is_without_gradients_in_trainers_that_see_to_it() {
            String frames =
                    "  File \"/e/%s/trainer.py\", line 4, in run\n  File \"/w/model.py\", line 9, in validation_step\n";
            assertThat(ids(one(frames.formatted("pytorch_lightning") + DEEP.repeat(3) + FULL)))
                    .doesNotContain("no-grad");
            assertThat(ids(one("python train.py\n" + frames.formatted("mine") + FULL)))
                    .contains("no-grad");
        }

        @Test
        void of_pictures_that_is_a_training_is_no_pipeline() {
            Diagnosis d = one("  File \"/e/diffusers/models/attention_processor.py\", line 4, in __call__\n" + FULL
                    + "  File \"/e/accelerate/commands/launch.py\", line 9, in simple_launcher\n");
            assertThat(ids(d))
                    .contains("recompute")
                    .doesNotContain("image-parts", "smaller-pictures", "smaller-weights");
        }
    }

    @Nested
    class a_notebook_service {
        private static final String BESIDE =
                "RuntimeError: CUDA out of memory. Tried to allocate 500.00 MiB (GPU 0; 15.75 GiB total"
                        + " capacity; 13.90 GiB already allocated; 100.00 MiB free; 14.10 GiB reserved in total by PyTorch)\n";

        @Test
        void shares_its_device_with_nobody() {
            assertThat(ids(one("python train.py\n" + BESIDE))).contains("stop-others");
            assertThat(ids(one("I use Google Colab pro\npython train.py\n" + BESIDE)))
                    .doesNotContain("stop-others");
        }

        @Test
        void has_a_card_without_bfloat16_by_its_size() {
            String t4 = FULL.replace("24.00 GiB", "14.75 GiB").replace("22.90 GiB", "14.20 GiB");
            assertThat(commands(one("python train.py\n" + t4)))
                    .anyMatch(c -> c.contains("float16)") && !c.contains("bfloat16"));
            assertThat(commands(one("python train.py\n" + FULL))).anyMatch(c -> c.contains("bfloat16"));
        }
    }

    @Test
    void more_devices_are_a_condition() {
        assertThat(text(remedy(one("python train.py\n" + FULL), "shard").why()))
                .startsWith("If more devices are there");
    }

    @Nested
    class options {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "openrlhf.cli.train_ppo --bf16",
                    "/e/espnet/espnet2/bin/lm_train.py",
                    "python tools/train.py -c a.yml"
                })
        void of_a_trainer_that_is_only_started_are_no_lines_of_code(String line) {
            Diagnosis d = one(line + "\n    loss.backward()\n" + FULL);
            assertThat(ids(d)).contains("recompute", "shard").doesNotContain("swap");
            assertThat(commands(d))
                    .noneMatch(c -> c.contains("torch.utils") || c.contains("torch.autocast") || c.contains("(model)"));
        }

        @Test
        void of_a_language_engine_do_not_reach_its_sibling_for_videos() {
            Diagnosis d = one(
                    "(APIServer pid=7) ERROR 08-20 05:33:36 [inline_stage_diffusion_client.py:155] RuntimeError: NPU out of"
                            + " memory. Tried to allocate 500.00 MiB (NPU 0; 60.00 GiB total capacity; 57.00 GiB already allocated; 57.00 GiB"
                            + " current active; 150.00 MiB free; 58.00 GiB reserved in total by PyTorch).\n");
            assertThat(commands(d)).noneMatch(c -> c.contains("--max-") || c.contains("utilization"));
            assertThat(text(remedy(d, "fewer-requests").why())).contains("pictures");
        }

        @Test
        void of_later_releases_are_not_told_to_an_older_one() {
            String lines =
                    "ollama[7]: %s: offloaded 39/41 layers to GPU\nollama[7]: llama_new_context_with_model: n_ctx      = 8192\n"
                            + "ollama[7]: ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1672.01 MiB on device 0: cudaMalloc failed:"
                            + " out of memory\n";
            assertThat(commands(one(lines.formatted("llm_load_tensors"))))
                    .anyMatch(c -> c.startsWith("PARAMETER num_ctx"))
                    .noneMatch(c -> c.contains("OLLAMA_"));
            assertThat(commands(one(lines.formatted("load_tensors"))))
                    .anyMatch(c -> c.contains("OLLAMA_CONTEXT_LENGTH"));
        }
    }

    @Test
    void a_scene_that_is_made_from_its_points_has_no_batch() {
        Diagnosis d =
                one("  File \"/g/train.py\", line 3, in training\n  File \"/g/scene/gaussian_model.py\", line 9, in"
                        + " create_from_pcd\n    dist2 = distCUDA2(points)\nMemoryError: bad allocation: cudaErrorMemoryAllocation: out of"
                        + " memory\n");
        assertThat(ids(d)).doesNotContain("smaller-samples", "smaller-micro-batch");
    }

    @Test
    void paddles_first_allocator_is_read_with_its_figures() {
        Diagnosis d = one(
                "W0413 13:19:50.571400 16109 system_allocator.cc:122] Cannot malloc 9999.6 MB GPU memory. Please shrink"
                        + " FLAGS_fraction_of_gpu_memory_to_use environment variable to a lower value. Current value is 0.92\nW0413"
                        + " 13:19:50.571779 16109 legacy_allocator.cc:191] Cannot allocate 196.000000MB in GPU 0, available 1.214539GB\nW0413"
                        + " 13:19:50.571794 16109 legacy_allocator.cc:194] total 11996954624\n");
        assertThat(d.report().triedBytes()).hasValue(196L << 20);
        assertThat(commands(d)).noneMatch(c -> c.contains("auto_growth"));
    }

    @Nested
    class an_optimizers_states {
        private static final String CARD =
                "RuntimeError: CUDA out of memory. Tried to allocate 40.00 MiB (GPU 0; 12.00 GiB total capacity;"
                        + " 11.20 GiB already allocated; 6.00 MiB free; 11.21 GiB reserved in total by PyTorch)\n";

        @Test
        void that_are_copied_while_they_are_loaded_are_no_work_of_a_batch() {
            Diagnosis d = one(
                    "Traceback (most recent call last):\n  File \"resume.py\", line 4, in main\n    trainer.train()\n"
                            + "  File \"/e/torch/optim/optimizer.py\", line 88, in load_state_dict\n    s = deepcopy(s)\n"
                            + "  File \"/e/copy.py\", line 161, in deepcopy\n    y = copier(memo)\n".repeat(4) + CARD);
            assertThat(ids(d))
                    .startsWith("map-location", "optimizer-offload")
                    .doesNotContain(
                            "smaller-micro-batch",
                            "swap",
                            "recompute",
                            "mixed-precision",
                            "load-type",
                            "optimizer-bits");
            assertThat(text(remedy(d, "optimizer-offload").why())).startsWith("States in 32 bits");
        }

        @Test
        void that_do_not_fit_are_not_called_weights() {
            Diagnosis d = one("    optimizer.load_state_dict(checkpoint['optimizer'])\n"
                    + "  File \"/e/torch/optim/optimizer.py\", line 363, in cast\n    value = value.to(device=d)\n"
                    + "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 8.00 GiB total"
                    + " capacity; 7.20 GiB already allocated; 0 bytes free; 7.30 GiB reserved in total by PyTorch)\n");
            assertThat(ids(d)).contains("map-location").doesNotContain("load-type");
            assertThat(text(d.headline())).startsWith("The optimizer's states do not fit");
        }
    }

    @Test
    void a_simulators_driver_may_say_it_with_a_dash() {
        assertThat(one("[9,411ms] [Error] [interop] CUDA error 2: cudaErrorMemoryAllocation - out of memory)\n")
                        .report()
                        .library())
                .contains("cuda");
    }
}

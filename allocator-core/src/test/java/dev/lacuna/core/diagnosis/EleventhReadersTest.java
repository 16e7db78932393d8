package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.advice;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.all;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.cuda;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.remedy;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.said;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What ten readers' logs had left as it was, and what an eleventh brought up, in words of our own. */
class EleventhReadersTest {
    private static final String GIB = "%.2f GiB";

    @Test
    void a_process_that_signal_nine_ended_is_told_by_pythons_number() {
        for (String line : List.of(
                "training failed with exit code -9",
                "RuntimeError: the worker exited during startup with code -9",
                "worker 3 exited with code -9 (SIGKILL)",
                "Trial a_1 errored: worker process died with exitcode -9",
                "Process finished with exit code -9",
                "exitcode  : -9",
                "subprocess.CalledProcessError: Command '['python', 'train.py']' returned non-zero exit status -9.",
                "  traceback : Signal 9 (SIGKILL)",
                "<Process name='Process-3' pid=42 parent=7 stopped exitcode=-SIGKILL>",
                "\u8fdb\u7a0b\u5df2\u7ed3\u675f\uff0c\u9000\u51fa\u4ee3\u7801\u4e3a 137 (interrupted by signal 9:SIGKILL)")) {
            Diagnosis d = one("step 12\n" + line + "\n");
            assertThat(d.report().claims()).as(line).contains(Claim.KILLED, Claim.HOST_MEMORY);
            assertThat(d.confidence()).isEqualTo(Confidence.LOW);
        }
    }

    @Test
    void other_numbers_and_ends_that_were_meant_stay_silent() {
        for (String line : List.of(
                "training failed with exit code -91",
                "With a batch of 64 one gets exit code -9 on small machines",
                "loss returned code -9.5e3 of the table",
                "exit codes: -9 is what a killed process leaves, -15 a terminated one",
                "KeyboardInterrupt\nworker exited with code -9",
                "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-02T03:04:05 ***\nworker exited with code -9",
                "failed (exitcode: -6) local_rank: 2 (pid: 77)\n  exitcode  : -6 (pid: 77)\nrank 0 exited with code -9")) {
            assertThat(all("step 12\n" + line + "\n")).as(line).isEmpty();
        }
    }

    @Test
    void a_notebooks_header_tells_the_class_where_nothing_else_does() {
        String rule = "-".repeat(75) + "\n";
        String header = rule
                + "%s                          Traceback (most recent call last)\nCell In[4], line 2\n----> 2 f(x)\n";
        assertThat(one(String.format(header, "OutOfMemoryError"))
                        .report()
                        .framework()
                        .id())
                .isEqualTo("pytorch-cuda");
        assertThat(one(String.format(header, "MemoryError")).report().isOfHost())
                .isTrue();
        assertThat(one(String.format(header, "ResourceExhaustedError"))
                        .report()
                        .framework()
                        .id())
                .isEqualTo("tensorflow");
        assertThat(all(String.format(header, "RuntimeError"))).isEmpty();
        String far = "   frame of a traceback\n".repeat(90);
        String message =
                "OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of"
                        + " 8.00 GiB of which 1.00 GiB is free.\n";
        assertThat(one(String.format(header, "OutOfMemoryError") + far + message)
                        .report()
                        .triedBytes())
                .hasValue(2L << 30);
        String numpy =
                "MemoryError: Unable to allocate 3.00 GiB for an array with shape (3, 16384, 16384) and data type float32\n";
        assertThat(one(String.format(header, "MemoryError") + far + numpy)
                        .report()
                        .triedBytes())
                .hasValue(3L << 30);
    }

    @Test
    void an_evaluation_that_joins_outputs_is_not_called_fragmented_by_its_gap() {
        String frames = "  File \"/x/transformers/trainer.py\", line 9, in evaluation_loop\n"
                + "    kept = nested_concat(kept, logits)\n";
        Diagnosis d = one(frames + cuda("6.20 GiB", "24.00 GiB", "5.80 GiB", "14.90 GiB", "2.60 GiB"));
        assertThat(d.cause()).isEqualTo(Cause.FRAGMENTATION);
        assertThat(d.confidence()).isEqualTo(Confidence.MEDIUM);
        assertThat(d.runnerUp()).contains(Cause.CAPACITY);
        assertThat(DiagnosisText.heading(Locale.ENGLISH, d)).isEqualTo("outputs of an evaluation");
        assertThat(said(d)).contains("keeps until its end");
        assertThat(ids(d)).startsWith("smaller-evaluation");
        Diagnosis small = one("  File \"v.py\", line 9, in validation_step\n"
                + cuda("400.00 MiB", "24.00 GiB", "300.00 MiB", "22.30 GiB", "600.00 MiB"));
        assertThat(ids(small)).startsWith("smaller-evaluation");
        Diagnosis training = one(cuda("6.20 GiB", "24.00 GiB", "5.80 GiB", "14.90 GiB", "2.60 GiB"));
        assertThat(DiagnosisText.heading(Locale.ENGLISH, training)).isEqualTo("fragmentation");
    }

    @Test
    void a_limit_of_metal_that_was_set_inside_the_program_came_too_late() {
        String oom =
                "RuntimeError: MPS backend out of memory (MPS allocated: 15.50 GB, other allocations: 0.20 GB, max allowed:"
                        + " 18.13 GB). Tried to allocate 3.00 GB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable"
                        + " upper limit for memory allocations (may cause system failure).\n";
        for (String set : List.of(
                "os.environ['PYTORCH_MPS_HIGH_WATERMARK_RATIO'] = '0.0'\n",
                "os.environ[\"PYTORCH_MPS_HIGH_WATERMARK_RATIO\"] = \"0.0\"\n")) {
            Diagnosis d = one("import torch\n" + set + oom);
            assertThat(text(remedy(d, "mps-watermark").why())).as(set).contains("it was read before");
            assertThat(commands(d)).contains("PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 python3 SCRIPT");
        }
        assertThat(text(remedy(one(oom), "mps-watermark").why())).startsWith("Takes away");
    }

    @Test
    void whoever_holds_nothing_yet_is_told_nothing_of_a_training() {
        String nothing =
                "RuntimeError: CUDA out of memory. Tried to allocate %s (GPU 0; 23.69 GiB total capacity; 0 bytes already"
                        + " allocated; %s free; 0 bytes reserved in total by PyTorch)\n";
        Diagnosis large = one(String.format(nothing, "23.40 GiB", "23.20 GiB"));
        assertThat(ids(large)).startsWith("split-request").doesNotContain("no-grad", "delete-loss");
        Diagnosis taken = one(String.format(nothing, "2.00 MiB", "3.81 MiB"));
        assertThat(taken.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
        assertThat(said(taken)).startsWith("The shortage lies outside the pool").doesNotContain("device had room");
        assertThat(ids(taken)).containsExactly("stop-others");
        assertThat(ids(one(String.format(nothing, "64.00 MiB", "5.00 GiB")))).doesNotContain("smaller-micro-batch");
    }

    @Test
    void numpys_shape_is_shown() {
        assertThat(said(one(
                        "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array with shape (100000,"
                                + " 100000) and data type float64\n")))
                .contains("(100000, 100000), float64: 74.50 GiB");
        assertThat(
                        said(
                                one(
                                        "MemoryError: Unable to allocate array with shape (500000, 224, 224, 3) and data type float32\n")))
                .contains("float32: 280.38 GiB");
    }

    @Test
    void pages_that_teach_about_a_failure_have_none() {
        for (String page : List.of(
                "The allocator raises an exception when a request fails. Its class is\ntorch.OutOfMemoryError\nand in older"
                        + " releases it was another one\n",
                "torch.OutOfMemoryError\nException raised when device is out of memory\n",
                "Catching it\n\ntorch.cuda.OutOfMemoryError\n\ntry:\n    step()\nexcept torch.cuda.OutOfMemoryError:\n    retry()\n",
                "A job that takes more than it asked for is ended, and you will see this in its output:\n\nslurmstepd: error:"
                        + " Detected 1 oom-kill event(s) in StepId=7.batch. Some of your processes may have been killed by the"
                        + " cgroup out-of-memory handler.\n")) {
            assertThat(all(page)).as(page).isEmpty();
        }
        assertThat(
                        all(
                                "My job fails. I see this in its output:\n\nslurmstepd: error: Detected 1 oom-kill event(s) in"
                                        + " StepId=7.batch. Some of your processes may have been killed by the cgroup out-of-memory handler.\n"))
                .hasSize(1);
        assertThat(all("  File \"a.py\", line 3, in step\n    raise e\ntorch.OutOfMemoryError\n"))
                .hasSize(1);
    }

    @Test
    void figures_behind_an_empty_line_belong_to_the_rank_before_it() {
        String log =
                "[01/02/2026-03:04:05] [TRT-LLM] [RANK 1] [E] Failed to initialize executor on rank 1: Executor creation"
                        + " failed due to insufficient GPU memory.\n\nThe following component could not be created: KV cache\n"
                        + "Total GPU memory (GiB): 80.00\nFree GPU memory before component creation attempt (GiB): 0.50\n";
        Diagnosis d = one(log);
        assertThat(d.report().totalBytes()).hasValue(80L << 30);
        assertThat(d.report().freeBytes()).hasValue(1L << 29);
        assertThat(d.report().rank()).hasValue(1);
        assertThat(
                        one("RuntimeError: Executor creation failed with an error which might indicate insufficient GPU memory.\n\n"
                                        + "Total GPU memory (GiB): 80.00\n")
                                .report()
                                .totalBytes())
                .hasValue(80L << 30);
    }

    @Test
    void a_warning_lends_a_failure_no_figure() {
        String warning =
                "2026-01-02 03:04:05.000000: W tensorflow/core/common_runtime/bfc_allocator.cc:290] Allocator (GPU_0_bfc) ran"
                        + " out of memory trying to allocate 2.29GiB with freed_by_count=0. The caller indicates that this is not a"
                        + " failure, but may mean that there could be performance gains if more memory were available.\n";
        String failure =
                "2026-01-02 03:04:06.000000: W tensorflow/core/framework/op_kernel.cc:17] OP_REQUIRES failed at conv.cc:6 :"
                        + " RESOURCE_EXHAUSTED: OOM when allocating tensor with shape[8,512,128,128] and type float on"
                        + " /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n";
        Diagnosis d = one(warning + failure);
        assertThat(d.report().triedBytes()).isEmpty();
        assertThat(said(d)).contains("a tensor of 256 MiB");
        assertThat(d.isFailure()).isTrue();
        assertThat(one(warning).isFailure()).isFalse();
    }

    @Test
    void retries_of_one_pinned_request_are_one_failure() {
        StringBuilder log = new StringBuilder();
        for (long bytes : new long[] {4294967296L, 3865470464L, 3478923264L}) {
            log.append("2026-01-02 03:04:05.0: E tensorflow/stream_executor/cuda/cuda_driver.cc:802] failed to alloc ")
                    .append(bytes)
                    .append(" bytes on host: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n")
                    .append(
                            "2026-01-02 03:04:05.0: W ./tensorflow/core/common_runtime/gpu/gpu_host_allocator.h:44] could not"
                                    + " allocate pinned host memory of size: ")
                    .append(bytes)
                    .append('\n');
        }
        Diagnosis d = one(log.toString());
        assertThat(d.report().claims()).contains(Claim.PINNED);
        assertThat(d.report().triedBytes()).hasValue(4L << 30);
    }

    @Test
    void paddles_count_of_the_device_is_everybodys() {
        String oom =
                "Out of memory error on GPU 0. Cannot allocate 2.250000GB memory on GPU 0, %s memory has been allocated and"
                        + " available memory is only %s.\n";
        assertThat(said(one(String.format(oom, "14.750000GB", "0.000000B"))))
                .contains("by this process and all others");
        assertThat(said(one(String.format(oom, "0.000000B", "0.000000B"))))
                .contains("could not read the device's memory");
    }

    @Test
    void what_a_process_counts_as_its_own_is_nobody_elses() {
        String oom =
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 24.00 GiB"
                        + " of which 500.00 MiB is free. %sOf the allocated memory 15.30 GiB is allocated by PyTorch, and 600.00 MiB is"
                        + " reserved by PyTorch but unallocated.\n";
        Diagnosis own = one(String.format(
                oom,
                "Including non-PyTorch memory, this process has " + String.format(GIB, 23.4) + " memory in use. "));
        assertThat(own.cause()).isEqualTo(Cause.CAPACITY);
        assertThat(ids(own)).startsWith("beside-pool").doesNotContain("stop-others");
        Diagnosis untold = one(String.format(oom, ""));
        assertThat(untold.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
        assertThat(advice(untold)).contains("this process's own");
        assertThat(ids(untold)).startsWith("stop-others").doesNotContain("beside-pool");
    }

    @Test
    void memory_that_a_network_card_locks_has_a_limit_of_its_own() {
        for (String call : List.of("ibv_create_qp", "ibv_reg_mr_iova2", "ibv_reg_mr")) {
            Diagnosis d = one("n1:8:9 [0] misc/ibvwrap.cc:252 NCCL WARN Call to " + call
                    + " failed with error Cannot allocate memory\n");
            assertThat(d.report().isOfHost()).as(call).isTrue();
            assertThat(ids(d)).startsWith("locked-memory").doesNotContain("unpinned");
        }
        assertThat(all("open failed with error Cannot allocate memory\n")).isEmpty();
    }

    @Test
    void one_buffer_beyond_what_a_driver_makes_is_a_limit_and_one_failure() {
        Diagnosis d = one("ggml_vulkan: Device memory allocation of size 4757131264 failed.\n"
                + "ggml_vulkan: Requested buffer size exceeds device memory allocation limit: ErrorOutOfDeviceMemory\n"
                + "ggml_gallocr_reserve_n: failed to allocate Vulkan0 buffer of size 4757131264\n");
        assertThat(d.cause()).isEqualTo(Cause.LIMIT);
        assertThat(said(d)).contains("One buffer of 4.43 GiB");
        assertThat(ids(d)).doesNotContain("stop-others", "llama-layers");
        Diagnosis loading = one("llama_model_load: error loading model: unable to allocate Vulkan0 buffer\n");
        assertThat(ids(loading)).startsWith("llama-layers");
    }

    @Test
    void trainers_that_people_start_are_told_their_own_arguments() {
        String full = cuda("2.00 GiB", "24.00 GiB", "100.00 MiB", "23.00 GiB", "90.00 MiB");
        Diagnosis d = one("  File \"/x/transformers/trainer.py\", line 3, in train\n" + full);
        assertThat(commands(d))
                .contains(
                        "--per_device_train_batch_size 1 --gradient_accumulation_steps 8",
                        "--gradient_checkpointing True",
                        "--bf16 True");
        assertThat(ids(d)).doesNotContain("delete-loss", "no-grad", "swap");
        Diagnosis kohya = one("  File \"/x/sd-scripts/sdxl_train_network.py\", line 3, in train\n" + full);
        assertThat(commands(kohya))
                .contains("--gradient_checkpointing")
                .doesNotContain("--gradient_checkpointing True");
        Diagnosis set = one("accelerate launch train_network.py --gradient_checkpointing --mixed_precision=bf16\n"
                + "  File \"/x/sd-scripts/train_network.py\", line 3, in train\n" + full);
        assertThat(ids(set)).doesNotContain("recompute", "mixed-precision");
        Diagnosis yolo = one("  File \"/x/ultralytics/engine/trainer.py\", line 3, in _do_train\n" + full);
        assertThat(commands(yolo)).containsOnlyOnce("batch=4 imgsz=512").noneMatch(c -> c.startsWith("torch."));
        assertThat(ids(one("  File \"mine.py\", line 3, in train\n    loss.backward()\n" + full)))
                .contains("swap", "recompute");
    }

    @Test
    void an_array_that_was_worked_out_is_no_matter_of_loaders() {
        String array =
                "MemoryError: Unable to allocate 1.91 GiB for an array with shape (256000, 1000) and data type float64\n";
        assertThat(ids(one("  File \"train.py\", line 9, in load\n" + array)))
                .startsWith("host-pieces")
                .doesNotContain("host-workers");
        assertThat(ids(one("  File \"torch/utils/data/dataloader.py\", line 9, in load\n" + array)))
                .contains("host-workers");
    }

    @Test
    void a_servers_word_over_pytorchs_is_the_same_failure() {
        Diagnosis d = one("ERROR warmup: text_generation_client: router/client/src/lib.rs:33: Server error: "
                + cuda("2.00 GiB", "22.19 GiB", "1.11 GiB", "20.11 GiB", "412.50 MiB")
                + "Error: WebServer(Warmup(Generation(\"Not enough memory to handle 4145 prefill tokens. You need to decrease"
                + " `--max-batch-prefill-tokens`\")))\n");
        assertThat(d.report().triedBytes()).hasValue(2L << 30);
        assertThat(commands(d)).contains("--max-batch-prefill-tokens 2072");
    }

    @Test
    void the_kernels_line_is_advised_by_whose_group_it_was() {
        String kill =
                "Memory cgroup out of memory: Killed process 2222 (python3) total-vm:40112345kB, anon-rss:16711111kB,"
                        + " file-rss:70000kB, shmem-rss:0kB, UID:1001 pgtables:40000kB oom_score_adj:0\n";
        assertThat(commands(one("12s  Warning  OOMKilling  node/n3  " + kill)))
                .contains("resources: {limits: {memory: SIZE}}");
        Diagnosis job =
                one(kill + "oom-kill:constraint=CONSTRAINT_MEMCG,oom_memcg=/slurm/uid_1001/job_88,task=python3\n");
        assertThat(commands(job)).contains("sbatch --mem=SIZE").noneMatch(c -> c.startsWith("docker"));
    }

    @Test
    void allocated_and_requested_beyond_the_device_are_too_much_for_cudas_own_pool_too() {
        Diagnosis d = one(
                "Allocation on device 0 would exceed allowed memory. (out of memory)\nCurrently allocated     : 6.57"
                        + " GiB\nRequested               : 4.50 GiB\nDevice limit            : 8.00 GiB\nFree (according to CUDA):"
                        + " 0 bytes\nPyTorch limit (set by user-supplied memory fraction)\n                        : 17179869184.00"
                        + " GiB\n");
        assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
    }

    @Test
    void an_evaluation_beside_a_large_gap_is_told_to_be_smaller_too() {
        Diagnosis d = one("  File \"m.py\", line 8, in validation_step\n"
                + cuda("2.44 GiB", "39.59 GiB", "1.90 GiB", "34.20 GiB", "2.60 GiB"));
        assertThat(ids(d)).contains("smaller-evaluation");
    }

    @Test
    void metal_without_a_limit_is_told_of_none() {
        Diagnosis d =
                one("RuntimeError: MPS backend out of memory (MPS allocated: 27.10 GiB, other allocations: 384.00 KiB)."
                        + " Tried to allocate 2.00 GiB on private pool.\n");
        assertThat(d.cause()).isNotEqualTo(Cause.LIMIT);
        assertThat(ids(d)).contains("smaller-micro-batch").doesNotContain("mps-watermark");
    }

    @Test
    void arrows_class_alone_and_forges_folder_are_known() {
        assertThat(one("  File \"pyarrow/error.pxi\", line 85, in check\npyarrow.lib.ArrowMemoryError\n")
                        .report()
                        .library())
                .contains("arrow");
        Diagnosis forge = one(cuda("26.00 MiB", "6.00 GiB", "0 bytes", "5.11 GiB", "81.22 MiB")
                + "venv \"D:\\webui_forge\\venv\\Scripts\\Python.exe\"\n");
        assertThat(ids(forge)).doesNotContain("recompute", "bucket-lengths").contains("smaller-pictures");
    }
}

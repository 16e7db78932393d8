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

import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a fifth reader's logs brought up, in words of our own. */
class FifthReadersTest {
    private static final String FULL =
            "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 300.00 MiB (GPU 0; 12.00 GiB total"
                    + " capacity; 10.90 GiB already allocated; 0 bytes free; 11.00 GiB reserved in total by PyTorch)\n";

    @Test
    void caffe2s_failed_check_is_cudas_memory() {
        Diagnosis d = one("RuntimeError: [enforce fail at context_gpu.cu:99] error == cudaSuccess. 2 vs 0."
                + " Error at: /src/caffe2/core/context_gpu.cu:99: out of memory\n");
        assertThat(d.report().library()).contains("caffe");
        assertThat(all("[enforce fail at context_gpu.cu:99] error == cudaSuccess. 77 vs 0. Error at: /a.cu:99: an"
                        + " illegal memory access was encountered\n"))
                .isEmpty();
        assertThat(all("[enforce fail at context_gpu.cu:99] error == cudaSuccess. 2 vs 0. Error at: /a.cu:99: oh\n"))
                .isEmpty();
    }

    @Test
    void a_list_of_a_tpu_programs_needs_without_its_error_is_a_failure() {
        String list = """
                Total hbm usage >= 18.20G:
                    reserved        512.00M
                    program          17.70G
                    arguments            0B
                """;
        Diagnosis d = one("this is what I get\nand that is new\nit worked on a GPU\nhere:\n" + list);
        assertThat(d.report().framework()).isEqualTo(Framework.JAX_XLA);
        assertThat(d.report().triedBytes()).isEqualTo(OptionalLong.of(Math.round(18.20 * (1L << 30))));
        assertThat(commands(d)).noneMatch(c -> c.contains("nvidia-smi") || c.contains("XLA_PYTHON"));
        assertThat(all("Ran out of memory in memory space hbm. Used 18.20G of 15.75G hbm. Exceeded hbm capacity by"
                        + " 2.45G.\n\n" + list))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "  File \"m.py\", line 9, in _apply\n    param_applied = fn(param)\n  File \"m.py\", line 12, in convert\n"
                        + "    return t.to(\n",
                "  File \"m.py\", line 9, in cuda\n    return self._apply(lambda t: t.cuda(device))\n",
            })
    void a_module_on_its_way_to_the_device_is_loading(String frames) {
        assertThat(ids(one(frames + FULL)))
                .contains("load-type")
                .doesNotContain("smaller-micro-batch", "swap", "recompute", "delete-loss");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "  Instantaneous batch size per device = 1",
                "- train batch size = 1",
                "python go.py --train_batch_size 1",
                "python go.py --batch-size=1 --lr 3",
                "python go.py --batch 1",
                "task=detect batch=1 epochs=3",
                "TrainingArguments(per_device_train_batch_size=1, lr=3)",
                "{\"train_micro_batch_size_per_gpu\": 1}",
            })
    void a_batch_of_one_is_not_made_smaller(String line) {
        Diagnosis d = one(line + "\n" + FULL);
        assertThat(ids(d)).startsWith("smaller-samples").doesNotContain("smaller-micro-batch", "bucket-lengths");
        assertThat(advice(d)).contains("Shorter sequences");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "per_device_train_batch_size=16",
                "batch_size=1.5",
                "eval_batch_size=1",
                "val batch size = 1",
                "batch_size=1 is slow, I want batch_size=4",
                "Num batches each epoch = 1",
                "Epoch 1, Batch 1: loss 3.25",
                "epoch 1 | batch 1 | 300 ms",
            })
    void another_batch_may_be_made_smaller(String line) {
        assertThat(ids(one(line + "\n" + FULL))).startsWith("smaller-micro-batch");
    }

    @Test
    void pictures_are_no_sequences() {
        String epoch = "Ultralytics 8.0 train: imgsz=640 batch=8\n";
        assertThat(advice(one(epoch + FULL))).contains("smaller pictures").doesNotContain("sequence", "lengths");
        assertThat(advice(one("train batch size = 1\n- max resolution = 512,512\n" + FULL)))
                .contains("lower resolution")
                .doesNotContain("sequence", "micro-batch or");
    }

    @Test
    void many_times_the_device_is_a_wrong_shape() {
        String far = FULL.replace("300.00 MiB", "900.00 GiB");
        assertThat(text(remedy(one(far), "split-request").why())).contains("a shape is wrong", "workspace");
        assertThat(advice(one("training yolov5 here\n" + far))).doesNotContain("attention", "sequence");
        String near = FULL.replace("300.00 MiB", "40.00 GiB");
        assertThat(text(remedy(one(near), "split-request").why())).contains("fused attention");
    }

    @ParameterizedTest
    @ValueSource(strings = {"File \"C:\\x\\run.py\", line 1", "models in /mnt/d/models"})
    void windows_tells_no_processs_memory_but_in_its_task_manager(String line) {
        Diagnosis d = one(line + "\ntorch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0;"
                + " 12.00 GiB total capacity; 3.00 GiB already allocated; 0 bytes free; 3.10 GiB reserved in total by"
                + " PyTorch)\n");
        Remedy others = remedy(d, "stop-others");
        assertThat(others.command()).isEmpty();
        assertThat(text(others.why())).contains("Dedicated GPU memory");
    }

    private static final String TENSOR =
            " W tensorflow/core/framework/op_kernel.cc:1] OP_REQUIRES failed: Resource exhausted: OOM when allocating"
                    + " tensor with shape[64,8] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by"
                    + " allocator GPU_0_bfc\n";

    private static final String HINT = "If the cause is memory fragmentation maybe the environment variable"
            + " 'TF_GPU_ALLOCATOR=cuda_malloc_async' will improve the situation.\n";

    @Test
    void an_old_tensorflow_or_cuda_has_no_asynchronous_allocator() {
        assertThat(ids(one(HINT + "2022-05-01 10:00:00.000001:" + TENSOR))).contains("tf-async");
        assertThat(ids(one("2022-05-01 10:00:00.000001:" + TENSOR)))
                .as("TensorFlow names it where it may help")
                .doesNotContain("tf-async");
        assertThat(ids(one(HINT + "2019-05-01 10:00:00.000001:" + TENSOR))).doesNotContain("tf-async");
        for (String old :
                List.of("opened cublas64_10.dll", "opened libcudart.so.10.1", "tensorflow_core/python/x.py")) {
            assertThat(ids(one(old + "\n" + HINT + "2022-05-01 10:00:00.000001:" + TENSOR)))
                    .doesNotContain("tf-async");
        }
    }

    @Test
    void a_pool_that_could_not_be_reserved_is_no_batchs_fault() {
        String at = "2022-05-01 10:00:00.000001: ";
        String note =
                "tensorflow/stream_executor/cuda/cuda_driver.cc:1] failed to allocate 6.50G (6979321856 bytes) from"
                        + " device: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n";
        Diagnosis d = one(at + "I " + note);
        assertThat(ids(d)).contains("stop-others", "tf-growth").doesNotContain("smaller-micro-batch", "tf-async");
        assertThat(said(d)).contains("goes on");
        assertThat(said(one(at + "E " + note))).doesNotContain("goes on");
    }

    @Test
    void what_others_hold_is_not_said_to_be_too_little_where_it_is_more_than_what_is_missing() {
        String small =
                "CUDA out of memory. Tried to allocate 60.00 MiB (GPU 0; 4.00 GiB total capacity; 3.10 GiB already"
                        + " allocated; 20.00 MiB free; 3.12 GiB reserved in total by PyTorch)\n";
        assertThat(said(one("RuntimeError: " + small))).doesNotContain("make up for it");
    }

    @Test
    void vllms_ranks_tell_how_many_devices_it_has() {
        String rank = "(VllmWorker rank=%d pid=77) ERROR 01-01 00:00:00 [multiproc_executor.py:1] ";
        assertThat(commands(all(rank.formatted(3) + FULL).get(0))).contains("--tensor-parallel-size 8");
    }

    @Test
    void a_pipeline_whose_parts_take_turns_is_offered_its_layers() {
        String script = "from diffusers import FluxPipeline\n";
        assertThat(commands(one(script + FULL))).contains("pipe.enable_model_cpu_offload()");
        assertThat(commands(one(script + "pipe.enable_model_cpu_offload()\n" + FULL)))
                .contains("pipe.enable_sequential_cpu_offload()")
                .doesNotContain("pipe.enable_model_cpu_offload()");
    }

    @Test
    void a_chat_in_a_web_page_trains_nothing() {
        assertThat(ids(one("Starting the web UI...\n" + FULL)))
                .doesNotContain("smaller-micro-batch", "swap", "recompute", "no-grad");
    }

    @Test
    void a_process_that_the_message_names_is_told_beside_a_gap() {
        Diagnosis d = one("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 300.00 MiB. GPU 0 has a total"
                + " capacity of 24.00 GiB of which 10.00 MiB is free. Process 4711 has 5.50 GiB memory in use. Including"
                + " non-PyTorch memory, this process has 18.49 GiB memory in use. Of the allocated memory 16.40 GiB is"
                + " allocated by PyTorch, and 1.60 GiB is reserved by PyTorch but unallocated.\n");
        assertThat(ids(d)).contains("stop-others");
    }

    @Test
    void a_pod_is_evicted_by_kubernetes_not_by_the_kernel() {
        Diagnosis d = one("Warning Evicted kubelet The node was low on resource: memory.\n");
        assertThat(said(d)).contains("Kubernetes evicted").doesNotContain("The kernel had");
    }
}

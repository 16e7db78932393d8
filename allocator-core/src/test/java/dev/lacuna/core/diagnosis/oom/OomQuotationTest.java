package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs, sources and manuals speak of running out of memory where nothing did. */
class OomQuotationTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "      TORCH_CHECK_WITH(\n          OutOfMemoryError,\n          false,\n          \"CUDA out of memory. Tried to allocate \",\n          format_size(alloc_size),\n          \". GPU \",\n          static_cast<int>(device),\n          \" has a total capacity of \",\n          format_size(device_total),\n          \" of which \",\n          format_size(device_free),\n          \" is free. \",\n          \"Of the allocated memory \",",
                "        except RuntimeError as e:\n            if \"CUDA out of memory\" in str(e) or 'CUDA error: out of memory' in str(e):\n                torch.cuda.empty_cache()\n            if \"CUBLAS_STATUS_ALLOC_FAILED\" in str(e): raise",
                "def should_reduce_batch_size(exception):\n    _statements = [\n        \"CUDA out of memory.\",  # CUDA OOM\n        \"cuDNN error: CUDNN_STATUS_NOT_SUPPORTED.\",\n        \"DefaultCPUAllocator: can't allocate memory\",  # CPU OOM\n        \"XPU out of memory.\",\n        \"HIP out of memory.\",\n    ]",
                "    raise ValueError(\"No available memory for the cache blocks. \"\n                     \"Try increasing `gpu_memory_utilization` when \"\n                     \"initializing the engine.\")\n    raise RuntimeError(\n                        \"CUDA out of memory occurred when warming up sampler with \"\n                        f\"{num_reqs} dummy requests. Please try lowering \"",
                "MS_LOG(EXCEPTION) << \"Device(id:\" << std::to_string(id) << \") memory isn't enough and alloc failed, kernel name: \" << GetAID() << \", alloc size: \" + std::to_string(size) << \"B.\";",
                "MS_LOG(EXCEPTION) << \"#umsg#Framework Error Message:#umsg#Out of Memory!!! Request memory size: \" << size << \", Memory Statistic:\" << DevMemStatistics()",
                "raise RuntimeError(\"CUDA error: out of memory\")",
                "  if (err == cudaErrorMemoryAllocation) {\n    fprintf(stderr, \"cudaMalloc failed: out of memory\\n\");\n    GGML_LOG_ERROR(\"%s: allocating %.2f MiB on device %d: cudaMalloc failed: %s\\n\", __func__, size / 1024.0 / 1024.0, buft_ctx->device, cudaGetErrorString(err));",
                "return errors::ResourceExhausted(\"OOM when allocating tensor with shape\", shape.DebugString());",
                "assert \"OOM when allocating tensor with shape[\" in log",
                "LOG(WARNING) << \"Allocator (\" << Name() << \") ran out of memory trying to allocate \" << strings::HumanReadableNumBytes(num_bytes)",
                "If you run into CUDA out of memory errors, reduce the batch size or enable gradient checkpointing.",
                "To avoid `RuntimeError: CUDA out of memory`, set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.",
                "You may get `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate X MiB` when the batch is large.",
                "See the FAQ: \"My model reports cuda runtime error(2): out of memory\". As the error message suggests, you have run out of memory on your GPU.",
                "OOM when allocating tensor: see the guide.",
                "The error code is EL0004. EL0004: memory allocation error codes are listed in the table below.",
                "| 207001 | ACL_ERROR_RT_MEMORY_ALLOCATION | memory allocation failed |",
                "UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY = 39, ///< Device memory exhausted",
                "CUDNN_STATUS_ALLOC_FAILED: Resource allocation failed inside the cuDNN library.",
                "#define CUBLAS_STATUS_ALLOC_FAILED 3",
                "CUBLAS_STATUS_ALLOC_FAILED = 3",
                "INFO: GPU memory: total 79.10 GiB, allocated 50.00 GiB, reserved 60.00 GiB, free 18.00 GiB",
                "[2024] step 100 | mem allocated: 40.1GB reserved: 42.0GB | lr 1e-4",
                "ggml_backend_cuda_host_malloc: failed to allocate 1024.00 MiB of pinned memory: out of memory",
                "memory_summary |  CUDA OOMs: 0  |  cudaMalloc retries: 0 |",
                "WARNING: 1 pytorch allocator cache flushes since last step. this happens when there is high memory pressure and is detrimental to performance.",
                "Limit: 12345 bytes in use; InUse is 5",
                "llama_kv_cache_init: CUDA0 KV buffer size = 1024.00 MiB\nllm_load_tensors: CUDA0 buffer size = 10240.00 MiB",
                "export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:512 # avoids 'CUDA out of memory'",
                "java.lang.OutOfMemoryError: Java heap space",
                "torch.cuda.OutOfMemoryError handled: reducing batch size from 64 to 32",
                "except torch.cuda.OutOfMemoryError:",
                "RuntimeError: No CUDA GPUs are available. Tried to allocate resources",
                "INFO worker.py: Maximum memory: 80 GiB; Limit: 503270604\n",
                "oom_kill_disable 0\nunder_oom 0\noom_kill 0",
                "ValueError: invalid buffer size: 3 columns",
                "NCCL INFO Memory limits: allocated 268435456 bytes",
                ".. code::\n\n    try:\n        run()\n    except torch.OutOfMemoryError:\n        print(\"CUDA out of memory\")\n",
                "    MS_LOG(ERROR) << \"Memory not enough: current free memory size[\" << free << \"] is smaller than required size[\" << size << \"].\";",
                "Failed to allocate memory for requested buffer of size \" << size",
                "\"Out of memory error on %s. Cannot allocate %s memory on %s, %s memory has been allocated and available memory is only %s.\"",
                "LOG(ERROR) << \"Out of memory error on GPU \" << gpu_id << \". Cannot allocate \"",
                "OOM-killed: see slurmstepd: error: Detected messages.",
                "raise torch.cuda.OutOfMemoryError(\"CUDA out of memory. Tried to allocate {} MiB\".format(n))",
                "MPS backend out of memory (MPS allocated: ', format_size(a), ', other allocations: ',",
                "torch.OutOfMemoryError: Allocation on device would be too slow",
                "env:\n  - name: PYTORCH_CUDA_ALLOC_CONF\n    value: \"expandable_segments:True,max_split_size_mb:128\"",
                "PASSED tests/test_oom.py::test_cuda_out_of_memory\nPASSED tests/test_alloc.py::test_out_of_memory_allocating"
            })
    void talk_of_memory_that_did_not_run_out_is_no_report(String text) {
        assertThat(OomLogReader.read(text).reports()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"message\": \"CUDA error: out of memory\", \"level\": \"error\"}",
                "ERROR: RuntimeError('CUDA error: out of memory')",
                "RuntimeError: CUDA out of memory.",
                "torch.OutOfMemoryError: HIP out of memory",
                "E: failed to create cublas handle: CUBLAS_STATUS_ALLOC_FAILED",
                "RuntimeError: Worker failed with error 'NPU out of memory. Tried to allocate 2.00 GiB'"
            })
    void a_message_inside_json_or_a_printed_exception_is_one(String text) {
        assertThat(OomLogReader.read(text).reports()).hasSize(1);
    }
}

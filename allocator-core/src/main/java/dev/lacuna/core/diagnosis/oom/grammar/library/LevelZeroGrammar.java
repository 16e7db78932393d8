package dev.lacuna.core.diagnosis.oom.grammar.library;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;

/**
 * Level Zero, SYCL's unified runtime and plug-in interface, OpenCL and Vulkan: names of errors, which program texts define
 * and calls return.
 */
public final class LevelZeroGrammar implements OomGrammar {
    private static final List<String> NAMES = List.of(
            "ur_result_error_out_of_device_memory",
            "ur_result_error_out_of_host_memory",
            "ze_result_error_out_of_device_memory",
            "ze_result_error_out_of_host_memory",
            "pi_error_out_of_host_memory",
            "pi_error_out_of_resources",
            "ur_result_error_out_of_resources",
            "allocationisoutofdevicememoryoncurrentplatform",
            "pi_error_mem_object_allocation_failure",
            "ur_result_error_mem_object_allocation_failure",
            "cl_mem_object_allocation_failure",
            "vk_error_out_of_device_memory",
            "vk_error_out_of_host_memory",
            "erroroutofdevicememory",
            "erroroutofhostmemory");

    private static final int NEAR = 300;
    private static final int LINE = 48;

    @Override
    public List<String> anchors() {
        return NAMES;
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        String lower = passage.lower();
        String name = NAMES.stream()
                .filter(n -> lower.startsWith(n, anchor))
                .findFirst()
                .orElseThrow();
        int end = anchor + name.length();
        if (!isReturned(lower, anchor, end)) {
            return Optional.empty();
        }
        String around = lower.substring(Math.max(0, anchor - NEAR), Math.min(lower.length(), end + NEAR));
        boolean vulkan = name.startsWith("vk_") || name.startsWith("error");
        boolean torch =
                !vulkan && !around.contains("ggml") && !around.contains("llama") && around.contains("runtimeerror:");
        ReportDraft draft = new ReportDraft(torch ? Framework.PYTORCH_XPU : Framework.OTHER, anchor).upTo(end);
        if (!torch) {
            String runtime = vulkan ? "vulkan" : name.startsWith("cl_") ? "opencl" : "level-zero";
            draft.by(around.contains("ggml") ? "llama.cpp" : runtime);
        }
        return Optional.of(draft.claims(name.contains("host") ? Claim.HOST_MEMORY : Claim.OUTSIDE_ALLOCATION));
    }

    /** In brackets behind a number, or behind a word for failing; a definition has a value, a list goes on with a comma. */
    private static boolean isReturned(String lower, int anchor, int end) {
        String before = lower.substring(Math.max(0, anchor - LINE), anchor);
        boolean defined = end < lower.length() && "=,|".indexOf(lower.charAt(end)) >= 0;
        boolean bracket = before.endsWith("(") || before.endsWith("[");
        boolean told = before.contains("fail")
                || before.contains("return")
                || before.contains("error")
                || before.contains("exception")
                || before.endsWith("allocatememory:");
        return bracket ? !defined || told : told && !defined;
    }
}

package dev.lacuna.core.bench;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * {@code Bench speed|table FOLDER [POLICY…]}: one of the tables of docs/performance.md, in Markdown, for the recorded
 * traces of the folder and a made one. {@code Bench curve FOLDER FILE}: its picture, as SVG.
 */
public final class Bench {
    private Bench() {}

    /** Runs; see the class comment. */
    public static void main(String[] words) throws IOException, RunnerException {
        Path folder = Path.of(words[1]);
        Map<String, AllocationTrace> traces = BenchTraces.all(folder);
        if (words[0].equals("curve")) {
            new RemapCurve().draw(traces, Path.of(words[2]));
            return;
        }
        List<AllocatorPolicy> policies = words.length == 2
                ? AllocatorPolicies.all()
                : Arrays.stream(words, 2, words.length)
                        .flatMap(name -> AllocatorPolicies.named(name).stream())
                        .toList();
        switch (words[0]) {
            case "speed" -> speed(folder, traces, policies);
            case "table" -> new PolicyTable(policies).print(traces);
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private static void speed(Path folder, Map<String, AllocationTrace> traces, List<AllocatorPolicy> policies)
            throws RunnerException {
        System.out.println("| policy | trace | events | million events/s | ± (99.9 %) | of CPU time |");
        System.out.println("| --- | --- | --- | --- | --- | --- |");
        for (AllocatorPolicy policy : policies) {
            for (Map.Entry<String, AllocationTrace> trace : traces.entrySet()) {
                Collection<RunResult> results = new Runner(new OptionsBuilder()
                                .include(ReplayBenchmark.class.getSimpleName())
                                .param("policy", policy.name())
                                .param("trace", trace.getKey())
                                .param("folder", folder.toString())
                                .forks(1)
                                .jvmArgs("-Xmx1g", "-XX:+UseSerialGC")
                                .warmupIterations(3)
                                .warmupTime(TimeValue.seconds(1))
                                .measurementIterations(5)
                                .measurementTime(TimeValue.seconds(1))
                                .verbosity(VerboseMode.SILENT)
                                .build())
                        .run();
                for (RunResult result : results) {
                    var cpu = result.getSecondaryResults().get("cpuNs");
                    var events = result.getSecondaryResults().get("events");
                    System.out.printf(
                            Locale.ROOT,
                            "| %s | %s | %d | %.1f | %.1f | %.1f |%n",
                            policy.name(),
                            trace.getKey(),
                            trace.getValue().size(),
                            events.getScore() / 1e6,
                            events.getScoreError() / 1e6,
                            events.getScore() / cpu.getScore() * 1e3);
                }
            }
        }
    }
}

package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.grammar.AnchorSearch;
import dev.lacuna.core.diagnosis.oom.line.LogLine;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * How a log shows that a setting is on: an exported variable, a printed configuration, a command line; not the advice of a
 * message.
 */
final class SettingSearch {
    private static final String ADVICE = "trysetting";
    private static final int ADVICE_REACH = 48;

    /** Configurations are printed at the start: only so many lines are looked at for words that say nothing of memory. */
    private static final int FIRST_LINES = 20_000;

    private static final int LONGEST_LINE = 4_000;

    private record Word(String text, Setting setting) {}

    private static final List<Word> WORDS = List.of(
            new Word("expandable_segments:true", Setting.EXPANDABLE_SEGMENTS),
            new Word("expandable_segments=true", Setting.EXPANDABLE_SEGMENTS),
            new Word("max_split_size_mb:", Setting.MAX_SPLIT_SIZE),
            new Word("garbage_collection_threshold:", Setting.GC_THRESHOLD),
            new Word("memory_fragmentation=1", Setting.OPTIMISATION),
            new Word("memory_fragmentation=true", Setting.OPTIMISATION),
            new Word("memory_fragmentation:true", Setting.OPTIMISATION));

    /** Words of configurations, as they stand in a line in lower case with one space or none around signs. */
    private static final List<Word> CONFIGURATION = List.of(
            new Word("--memory-fragmentation", Setting.OPTIMISATION),
            new Word("--adaptive-memory-optimization", Setting.ADAPTIVE_MEMORY),
            new Word("adaptive_memory_optimization=true", Setting.ADAPTIVE_MEMORY),
            new Word("adaptive_memory_optimization:true", Setting.ADAPTIVE_MEMORY),
            new Word("--recompute-granularity", Setting.RECOMPUTE),
            new Word("--recompute-activations", Setting.RECOMPUTE),
            new Word("recompute_granularity=full", Setting.RECOMPUTE),
            new Word("recompute_granularity=selective", Setting.RECOMPUTE),
            new Word("gradient_checkpointing=true", Setting.RECOMPUTE),
            new Word("gradient_checkpointing:true", Setting.RECOMPUTE),
            new Word("--gradient_checkpointing", Setting.RECOMPUTE),
            new Word("--gradient-checkpointing", Setting.RECOMPUTE),
            new Word("activation_checkpointing=true", Setting.RECOMPUTE),
            new Word("activation_checkpointing:true", Setting.RECOMPUTE),
            new Word("mixed_precision=fp16", Setting.MIXED_PRECISION),
            new Word("mixed_precision=bf16", Setting.MIXED_PRECISION),
            new Word("mixed_precisionfp16", Setting.MIXED_PRECISION),
            new Word("mixed_precisionbf16", Setting.MIXED_PRECISION),
            new Word("mixed_precision:fp16", Setting.MIXED_PRECISION),
            new Word("mixed_precision:bf16", Setting.MIXED_PRECISION),
            new Word("--smart-swap", Setting.SWAP),
            new Word("smart_swap=true", Setting.SWAP),
            new Word("--bf16", Setting.MIXED_PRECISION),
            new Word("--fp16", Setting.MIXED_PRECISION),
            new Word("bf16=true", Setting.MIXED_PRECISION),
            new Word("fp16=true", Setting.MIXED_PRECISION),
            new Word("bf16:true", Setting.MIXED_PRECISION),
            new Word("fp16:true", Setting.MIXED_PRECISION),
            new Word("params_dtype=torch.bfloat16", Setting.MIXED_PRECISION),
            new Word("params_dtype=torch.float16", Setting.MIXED_PRECISION),
            new Word("--use-distributed-optimizer", Setting.SHARDING),
            new Word("use_distributed_optimizer=true", Setting.SHARDING),
            new Word("--fsdp\"full", Setting.SHARDING),
            new Word("--fsdpfull", Setting.SHARDING),
            new Word("fsdp:full_shard", Setting.SHARDING),
            new Word("fsdp=full_shard", Setting.SHARDING),
            new Word("--evaluation_strategy\"no\"", Setting.NO_EVALUATION),
            new Word("--evaluation_strategyno", Setting.NO_EVALUATION),
            new Word("--eval_strategy\"no\"", Setting.NO_EVALUATION),
            new Word("--eval_strategyno", Setting.NO_EVALUATION),
            new Word("zero_stage=3", Setting.SHARDING),
            new Word("zero_stage:3", Setting.SHARDING),
            new Word("--zero_stage3", Setting.SHARDING),
            new Word("ds_z3", Setting.SHARDING),
            new Word("zero3.json", Setting.SHARDING),
            new Word("stage3_", Setting.SHARDING),
            new Word("\"stage:3", Setting.SHARDING),
            new Word("hccl_buffsize=", Setting.COLLECTIVE_BUFFERS),
            new Word("pytorch_mps_high_watermark_ratio=0.0", Setting.MPS_WATERMARK),
            new Word("pytorch_mps_high_watermark_ratio]=0", Setting.MPS_WATERMARK_INSIDE),
            new Word("pytorch_mps_high_watermark_ratio\"]=\"0", Setting.MPS_WATERMARK_INSIDE),
            new Word("xla_python_client_preallocate=false", Setting.XLA_NO_PREALLOCATION),
            new Word("xla_python_client_mem_fraction=", Setting.XLA_FRACTION),
            new Word("tf_gpu_allocator=cuda_malloc_async", Setting.TF_ASYNC),
            new Word("flags_allocator_strategy=auto_growth", Setting.PADDLE_GROWTH));

    private static final String FRAME = "File \"";

    /** As tracebacks that go through C++ print it. */
    private static final String SHORT_FRAME = ".py(";

    /** How FSDP names what it has taken over. */
    private static final String WRAPPED = "_fsdp_wrapped_module";

    /** What only a training with it on calls. */
    private static final List<Word> CALLS = List.of(
            new Word("scaler.scale(", Setting.MIXED_PRECISION),
            new Word(".gradient_checkpointing_enable(", Setting.RECOMPUTE));

    /** Of files in which nothing runs but what is on. */
    private static final List<Word> FRAMES = List.of(
            new Word("torch/distributed/fsdp/", Setting.SHARDING),
            new Word("torch/utils/checkpoint.py", Setting.RECOMPUTE),
            new Word("torch\\utils\\checkpoint.py", Setting.RECOMPUTE),
            new Word("in decorate_autocast", Setting.MIXED_PRECISION),
            new Word("/fp16.py", Setting.MIXED_PRECISION),
            new Word("\\fp16.py", Setting.MIXED_PRECISION),
            new Word("fp16_optimizer.py", Setting.MIXED_PRECISION));

    private static final AnchorSearch SEARCH =
            new AnchorSearch(CONFIGURATION.stream().map(Word::text).toList());

    private SettingSearch() {}

    /** Adds what this text (lower case, no white space) shows. */
    static void collect(String lower, Set<Setting> found) {
        for (Word word : WORDS) {
            for (int at = lower.indexOf(word.text()); at >= 0; at = lower.indexOf(word.text(), at + 1)) {
                boolean value = word.text().charAt(word.text().length() - 1) != ':'
                        || digitAt(lower, at + word.text().length());
                if (value && !advised(lower, at)) {
                    found.add(word.setting());
                    break;
                }
            }
        }
    }

    /** Adds what a line near the log's start shows of the run's configuration. */
    static void collect(LogLine line, Set<Setting> found) {
        if (line.number() > FIRST_LINES || line.text().length() > LONGEST_LINE) {
            return;
        }
        inFrame(line.text(), found);
        if (!mayConfigure(line.text())) {
            return;
        }
        String s = compact(line.text());
        boolean advice = s.contains("please")
                || s.contains("try")
                || s.startsWith("#")
                || s.contains("use`")
                || s.contains("willimprove")
                || s.contains("usepytorch_");
        if (!advice) {
            Set<Setting> shown = EnumSet.noneOf(Setting.class);
            SEARCH.search(s, (word, start) -> {
                if (!isOff(s, start + CONFIGURATION.get(word).text().length())) {
                    shown.add(CONFIGURATION.get(word).setting());
                }
            });
            found.addAll(shown);
        }
    }

    /** Whether a value follows that turns it off. */
    private static boolean isOff(String s, int end) {
        int value = s.startsWith("=", end) || s.startsWith(":", end) ? end + 1 : end;
        return s.startsWith("false", value) || s.startsWith("none", value);
    }

    /** What a traceback runs through is on. */
    private static void inFrame(String line, Set<Setting> found) {
        if (line.contains(WRAPPED)) {
            found.add(Setting.SHARDING);
        }
        if (!line.startsWith("#")) {
            CALLS.stream().filter(call -> line.contains(call.text())).forEach(call -> found.add(call.setting()));
        }
        if (line.contains(FRAME) || line.contains(SHORT_FRAME)) {
            FRAMES.stream().filter(word -> line.contains(word.text())).forEach(word -> found.add(word.setting()));
        }
    }

    /** Configurations set values with a sign, or are options of a command line. */
    private static boolean mayConfigure(String line) {
        return line.indexOf('=') >= 0 || line.indexOf(':') >= 0 || line.contains("--") || line.contains(" ..");
    }

    /** In lower case, without spaces, quotes and the dots with which Megatron fills its columns. */
    private static String compact(String line) {
        StringBuilder out = new StringBuilder(line.length());
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == ' ' && line.startsWith(" ..", i)) {
                int end = i + 1;
                while (end < line.length() && line.charAt(end) == '.') {
                    end++;
                }
                out.append('=');
                i = end - 1;
            } else if (c != ' ' && c != '\'' && c != '\t') {
                out.append(c);
            }
        }
        return out.toString().replace("\":", ":").toLowerCase(Locale.ROOT);
    }

    private static boolean advised(String lower, int at) {
        return lower.substring(Math.max(0, at - ADVICE_REACH), at).contains(ADVICE);
    }

    private static boolean digitAt(String lower, int i) {
        return i < lower.length() && Character.isDigit(lower.charAt(i));
    }
}

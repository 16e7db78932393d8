package dev.lacuna.core.oom;

import java.util.List;
import java.util.Set;

/** How a log shows that an allocator setting is on: an exported variable, a printed configuration; not PyTorch's advice. */
final class SettingWords {
    private static final String ADVICE = "trysetting";
    private static final int ADVICE_REACH = 48;

    private record Word(String text, Setting setting) {}

    private static final List<Word> WORDS = List.of(
            new Word("expandable_segments:true", Setting.EXPANDABLE_SEGMENTS),
            new Word("expandable_segments=true", Setting.EXPANDABLE_SEGMENTS),
            new Word("max_split_size_mb:", Setting.MAX_SPLIT_SIZE),
            new Word("garbage_collection_threshold:", Setting.GC_THRESHOLD),
            new Word("memory_fragmentation=1", Setting.OPTIMISATION),
            new Word("memory_fragmentation=true", Setting.OPTIMISATION),
            new Word("memory_fragmentation:true", Setting.OPTIMISATION));

    private SettingWords() {}

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

    private static boolean advised(String lower, int at) {
        return lower.substring(Math.max(0, at - ADVICE_REACH), at).contains(ADVICE);
    }

    private static boolean digitAt(String lower, int i) {
        return i < lower.length() && Character.isDigit(lower.charAt(i));
    }
}

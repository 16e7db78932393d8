package dev.lacuna.core.diagnosis.oom.grammar.host;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The one word that a shell prints for a process that signal 9 ended, alone on its line or, from a script or of a job,
 * between the process's number and its command. A process that the kernel kills for want of memory leaves nothing else;
 * somebody may have ended it by hand as well, so nothing is said for sure.
 */
public final class KilledGrammar implements OomGrammar {
    private static final String WORD = "killed";

    /** The same of shells in Chinese, and the three signs as which a search sees them. */
    private static final List<String> CHINESE = List.of("已杀死", "已殺死", "已砍掉");

    private static final String SIGNS = Character.toString(Passage.FOREIGN).repeat(3);
    private static final int BEFORE = 48;

    /** What stands before it: {@code run.sh: line 3: 42}, {@code [1]+ 42}, {@code zsh:}, {@code make: *** [train]}. */
    private static final Pattern HEAD = Pattern.compile(
            "(?:(?:line|\\x01)\\d{1,6}:\\d{1,10}|(?:^|\n)(?:\\[\\d{1,4}\\][+-]?\\d{0,10}|zsh:|make(?:\\[\\d\\])?:\\*\\*\\*\\[[^\\]]{1,40}\\]))$");

    /** A bar of progress that was being drawn leaves no end of its line: {@code [00:00<?, ?it/s]}. */
    private static final Pattern BAR = Pattern.compile("(?:it/s|s/it)[^\\]\n]{0,40}\\]$");

    @Override
    public List<String> anchors() {
        return List.of(WORD, SIGNS);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        boolean english = passage.lower().startsWith(WORD, anchor);
        if (!english && CHINESE.stream().noneMatch(word -> passage.says(word, anchor))) {
            return Optional.empty();
        }
        int end = anchor + (english ? WORD : SIGNS).length();
        boolean ends = end >= passage.length() || passage.lineStart(end);
        boolean alone = passage.lineStart(anchor) && ends;
        boolean behindBar = ends && BAR.matcher(head(passage, anchor)).find();
        return alone || behindBar || HEAD.matcher(head(passage, anchor)).find()
                ? Optional.of(new ReportDraft(Framework.OTHER, anchor)
                        .claims(Claim.HOST_MEMORY)
                        .claims(Claim.KILLED)
                        .by("shell")
                        .upTo(end))
                : Optional.empty();
    }

    /** What stands before the word on its line, behind a line feed where the line begins within reach. */
    private static String head(Passage passage, int anchor) {
        int from = anchor;
        while (from > 0 && anchor - from < BEFORE && !passage.lineStart(from)) {
            from--;
        }
        return (passage.lineStart(from) ? "\n" : " ") + passage.lower().substring(from, anchor);
    }
}

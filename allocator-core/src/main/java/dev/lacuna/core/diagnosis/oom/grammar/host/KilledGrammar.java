package dev.lacuna.core.diagnosis.oom.grammar.host;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;

/**
 * The one word that a shell prints for a process that signal 9 ended, alone on its line. A process that the kernel kills
 * for want of memory leaves nothing else; somebody may have ended it by hand as well, so nothing is said for sure.
 */
public final class KilledGrammar implements OomGrammar {
    private static final String WORD = "killed";

    @Override
    public List<String> anchors() {
        return List.of(WORD);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        int end = anchor + WORD.length();
        boolean alone = passage.lineStart(anchor) && (end >= passage.length() || passage.lineStart(end));
        return alone
                ? Optional.of(new ReportDraft(Framework.OTHER, anchor)
                        .claims(Claim.HOST_MEMORY)
                        .claims(Claim.KILLED)
                        .by("shell")
                        .upTo(end))
                : Optional.empty();
    }
}

package dev.lacuna.core.diagnosis.oom.grammar.host;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.LookBack;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;

/**
 * Ray's memory monitor, old (in the worker, until 2.1) and new (in the raylet), with the node's totals; and its object
 * store, which lies in shared memory.
 */
public final class RayGrammar implements OomGrammar {
    private static final String TASK = "killedduetothenoderunninglowonmemory";
    /** The sentence behind it, which holds the figures and may stand alone. */
    private static final String ON_NODE = "memoryonthenode(";

    private static final String RAYLET = "killedduetomemorypressure(oom)";
    private static final String OLD = "rayoutofmemoryerror:morethan";
    private static final String HEAP = "rayoutofmemoryerror:heapmemoryusagefor";
    private static final String STORE = "objectstorefullerror:failedtoput";
    private static final String STORE_FULL = "theobjectstoreisfull";
    /** What closes its messages, where nothing before it was pasted. */
    private static final String CLOSING = "onhowtoaddresstheoutofmemoryissue:https://docs.ray.io";

    private static final int NODE = 700;
    private static final int WHOLE = 1500;

    @Override
    public List<String> anchors() {
        return List.of(TASK, ON_NODE, RAYLET, OLD, HEAP, STORE, STORE_FULL, CLOSING);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor)
                .claims(Claim.HOST_MEMORY)
                .claims(Claim.RAY)
                .by("ray");
        if (cursor.accept(TASK)) {
            draft.claims(Claim.LIMIT).upTo(cursor.position());
            node(cursor, draft);
            return Optional.of(draft);
        }
        if (cursor.accept(ON_NODE)) {
            node(cursor, draft.claims(Claim.LIMIT).upTo(cursor.position()));
            return draft.hasNumbers() && cursor.find("exceedsthememoryusagethreshold", NODE / 2)
                    ? Optional.of(draft)
                    : Optional.empty();
        }
        if (cursor.accept(RAYLET)) {
            int workers = LookBack.to("workers(tasks/actors)", passage.lower(), anchor, 24);
            boolean some = workers > 0 && passage.lower().charAt(workers - 1) != '0'
                    || workers > 1 && Character.isDigit(passage.lower().charAt(workers - 2));
            return some ? Optional.of(draft.claims(Claim.LIMIT).upTo(cursor.position())) : Optional.empty();
        }
        if (cursor.accept(OLD)) {
            draft.claims(Claim.LIMIT).upTo(cursor.position());
            if (cursor.find("isused(", 120)) {
                ReportDraft used = new ReportDraft(Framework.OTHER, anchor);
                if (cursor.ratio(used, Quantity.OTHER_PROCESS, Quantity.TOTAL)) {
                    draft.absorb(used);
                }
            }
            return Optional.of(draft);
        }
        if (cursor.accept(CLOSING)) {
            boolean told = List.of(TASK, ON_NODE, RAYLET, OLD).stream()
                    .anyMatch(word -> LookBack.to(word, passage.lower(), anchor, WHOLE) >= 0);
            return told
                    ? Optional.empty()
                    : Optional.of(draft.claims(Claim.LIMIT).upTo(cursor.position()));
        }
        cursor.acceptAny(List.of(HEAP, STORE, STORE_FULL));
        return Optional.of(draft.claims(Claim.LIMIT).upTo(cursor.position()));
    }

    /** {@code (… memory used=2.22GB) was running was 59.49GB / 62.58GB (0.95), which exceeds the memory usage threshold}. */
    private static void node(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        if (cursor.find("memoryused=", NODE / 2)) {
            cursor.size(draft, Quantity.PROCESS, Cursor.LONG_UNITS);
        }
        if (cursor.find("wasrunningwas", NODE / 2)) {
            ReportDraft used = new ReportDraft(draft.framework(), draft.start());
            if (cursor.size(used, Quantity.OTHER_PROCESS, Cursor.LONG_UNITS)
                    && cursor.accept("/")
                    && cursor.size(used, Quantity.TOTAL, Cursor.LONG_UNITS)) {
                draft.absorb(used);
                return;
            }
        }
        cursor.moveTo(before);
    }
}

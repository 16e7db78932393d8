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
 * PyTorch's data loader and the shared memory through which its workers hand over samples: a worker killed by the kernel,
 * a bus error (a page of a full {@code /dev/shm}), a file of shared memory that could not be made, written or mapped.
 */
public final class LoaderGrammar implements OomGrammar {
    private static final String SIGNAL = "iskilledbysignal:";
    private static final String BUS = "buserrorencounteredinworker";
    private static final String FILE = "file<";
    private static final String OBJECT = "sharedmemoryobject<";
    private static final String NO_SPACE = "[errno28]nospaceleftondevice";

    /** Python's locks between processes, each of which is a file in shared memory. */
    private static final List<String> LOCKS = List.of("ctx.lock()", "semlock");

    private static final String NCCL = "/dev/shm/nccl-";
    private static final int NEAR = 160;

    /** What the operating system says, when it is memory that is short and not files or rights. */
    private static final List<String> SHORT_OF_MEMORY =
            List.of("nospaceleftondevice", "cannotallocatememory", "resourcetemporarilyunavailable", "success(0)");

    @Override
    public List<String> anchors() {
        return List.of(SIGNAL, BUS, FILE, OBJECT, NCCL, NO_SPACE);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        if (cursor.accept(SIGNAL)) {
            return signal(passage, cursor);
        }
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor)
                .claims(Claim.HOST_MEMORY)
                .claims(Claim.SHARED_MEMORY)
                .claims(Claim.LIMIT)
                .by("torch");
        if (cursor.accept(BUS)) {
            return Optional.of(draft.upTo(cursor.position()));
        }
        if (cursor.accept(NO_SPACE)) {
            boolean lock = LOCKS.stream().anyMatch(word -> LookBack.to(word, passage.lower(), anchor, NEAR) >= 0);
            return lock ? Optional.of(draft.by("multiprocessing").upTo(cursor.position())) : Optional.empty();
        }
        if (cursor.accept(NCCL)) {
            String before = passage.lower().substring(Math.max(0, anchor - 2 * NEAR), anchor);
            boolean old = before.endsWith("errorwhilecreatingsharedmemorysegment") && cursor.find("(size", 16);
            boolean full =
                    old || SHORT_OF_MEMORY.stream().anyMatch(said -> before.contains(said) || cursor.find(said, NEAR));
            return full ? Optional.of(draft.by("nccl").upTo(cursor.position())) : Optional.empty();
        }
        return file(passage, anchor, draft);
    }

    private static Optional<ReportDraft> signal(Passage passage, Cursor cursor) {
        int anchor = cursor.position() - SIGNAL.length();
        int worker = LookBack.to("worker", passage.lower(), anchor, 32);
        ReportDraft draft = new ReportDraft(Framework.OTHER, worker < 0 ? anchor : worker)
                .claims(Claim.HOST_MEMORY)
                .claims(Claim.LOADER)
                .by("torch");
        boolean killed = cursor.accept("killed");
        boolean bus = !killed && cursor.accept("buserror");
        if (killed) {
            draft.claims(Claim.KILLED);
        }
        if (bus) {
            draft.claims(Claim.SHARED_MEMORY).claims(Claim.LIMIT);
        }
        return worker >= 0 && (killed || bus) ? Optional.of(draft.upTo(cursor.position())) : Optional.empty();
    }

    /** A file, shared or of weights, that could not be mapped: of a small one the number of mappings had run out, not memory. */
    private static ReportDraft mapping(Passage passage, int start, int end) {
        ReportDraft found = new ReportDraft(Framework.OTHER, start)
                .claims(Claim.HOST_MEMORY)
                .by("torch");
        Cursor cursor = new Cursor(passage, start + "unabletommap".length());
        ReportDraft size = new ReportDraft(Framework.OTHER, start);
        boolean small = !cursor.bytes(size, Quantity.TRIED) || size.atMost(Quantity.TRIED, FEW_BYTES);
        found.absorb(size);
        return (small ? found.claims(Claim.MAPPINGS).claims(Claim.LIMIT) : found).upTo(end);
    }

    private static final String NO_MEMORY = "cannotallocatememory(12)";

    /** No machine lacks so little for one mapping and goes on. */
    private static final long FEW_BYTES = 16L << 20;

    /** {@code unable to write to file </torch_18692_1954506624>: No space left on device (28)} and its relatives. */
    private static Optional<ReportDraft> file(Passage passage, int anchor, ReportDraft draft) {
        String lower = passage.lower();
        int start = LookBack.to("unableto", lower, anchor, 64);
        String rest = lower.substring(anchor, Math.min(lower.length(), anchor + NEAR));
        boolean shared =
                rest.contains("<torch_") || rest.contains("</torch_") || rest.contains("<filenamenotspecified>");
        int said = SHORT_OF_MEMORY.stream()
                .mapToInt(rest::indexOf)
                .filter(i -> i >= 0)
                .min()
                .orElse(-1);
        if (start >= 0 && lower.startsWith("mmap", start + "unableto".length()) && rest.contains(NO_MEMORY)) {
            return Optional.of(mapping(passage, start, anchor + rest.indexOf(NO_MEMORY) + NO_MEMORY.length()));
        }
        int behind = rest.indexOf('>') + 1;
        boolean place = rest.startsWith("at/", behind) || rest.startsWith("at..", behind);
        boolean cut = place
                || rest.endsWith(">")
                || passage.lineStart(Math.min(anchor + rest.indexOf('>') + 1, lower.length() - 1));
        if (start < 0
                || !shared
                || said < 0 && !(cut && lower.startsWith("writetofile", start + "unableto".length()))) {
            return Optional.empty();
        }
        ReportDraft found = new ReportDraft(Framework.OTHER, start)
                .claims(Claim.HOST_MEMORY)
                .claims(Claim.SHARED_MEMORY)
                .claims(Claim.LIMIT)
                .by("torch");
        Cursor cursor = new Cursor(passage, start + "unableto".length());
        if (cursor.accept("mmap")) {
            cursor.bytes(found, Quantity.TRIED);
        }
        return Optional.of(found.upTo(anchor + Math.max(said, rest.indexOf('>')) + 1));
    }
}

package dev.lacuna.core.diagnosis.oom.grammar.pytorch;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.MessageForm;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.LookBack;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * PyTorch's caching allocators since 1.0 (CUDA, HIP, XPU), torch_npu, IPEX and Lacuna: "Tried to allocate …", followed
 * by figures in parentheses (until 2.0, NPU, Lacuna) or in sentences (2.1 and later). The structure decides, never the advice.
 */
public final class TorchGrammar implements OomGrammar {
    private static final String TRIED = "triedtoallocate";
    private static final String IPEX_LIMIT = "currentplatformcannotallocatememoryblockwithsizelargerthan";
    private static final String SAYS = "outofmemory";
    private static final int LOOK_BACK = 96;
    private static final int CLASS_NEAR = 24;
    private static final int MAX_CUT_NUMBER = 12;
    private static final int ADVICE_REACH = 240;

    @Override
    public List<String> anchors() {
        return List.of(TRIED);
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        Cursor cursor = new Cursor(passage, anchor);
        cursor.accept(TRIED);
        cursor.accept("d");
        Optional<Head> head = Head.before(passage.lower(), anchor);
        int requestAt = cursor.position();
        Framework framework = head.map(Head::framework).orElseGet(() -> frameworkByDevice(passage.lower(), requestAt));
        ReportDraft draft = new ReportDraft(framework, head.map(Head::start).orElse(anchor));
        head.map(Head::library).filter(name -> !name.isEmpty()).ifPresent(draft::by);
        readRequest(cursor, draft);
        boolean figures = readFigures(cursor, draft);
        if (!figures && (head.isEmpty() || !tellsSize(draft) && !isCut(passage, cursor.position()))) {
            return Optional.empty();
        }
        if (passage.lower().startsWith(IPEX_LIMIT, draft.start())) {
            draft.claims(Claim.LIMIT);
        }
        readAdvice(passage.lower(), cursor.position(), draft);
        return Optional.of(draft.upTo(cursor.position()));
    }

    private static boolean tellsSize(ReportDraft draft) {
        return draft.hasNumbers() || draft.hasClaim(Claim.OVERSIZED);
    }

    /** Whether a message without any size ends here, as a cut one does; program text and prose go on. */
    private static boolean isCut(Passage passage, int at) {
        String lower = passage.lower();
        int end = at;
        while (end < lower.length() && end - at < MAX_CUT_NUMBER && ".0123456789".indexOf(lower.charAt(end)) >= 0) {
            end++;
        }
        return end >= lower.length() || passage.lineStart(end);
    }

    private static void readRequest(Cursor cursor, ReportDraft draft) {
        if (cursor.accept("morethan1ebmemory")) {
            draft.claims(Claim.OVERSIZED);
        } else if (!cursor.size(draft, Quantity.TRIED, Cursor.LONG_UNITS)) {
            draft.upTo(cursor.position());
        }
    }

    private static boolean readFigures(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        cursor.skipPunctuation(4);
        boolean inParentheses = cursor.position() > before && cursor.at("(");
        cursor.moveTo(before);
        return inParentheses || parenthesisAhead(cursor)
                ? TorchParentheses.read(cursor, draft)
                : TorchSentences.read(cursor, draft);
    }

    private static boolean parenthesisAhead(Cursor cursor) {
        int before = cursor.position();
        for (int i = 0; i < 3 && !cursor.at("("); i++) {
            cursor.skipPunctuation(1);
        }
        boolean found = cursor.at("(");
        cursor.moveTo(before);
        return found;
    }

    /** Which variable the advice names, and for the form in parentheses whether there is advice at all. */
    private static void readAdvice(String lower, int from, ReportDraft draft) {
        String rest = lower.substring(from, Math.min(lower.length(), from + ADVICE_REACH));
        int next = rest.indexOf(TRIED);
        String advice = next < 0 ? rest : rest.substring(0, next);
        boolean ownClass = LookBack.to("outofmemoryerror", lower, draft.start() + 1, CLASS_NEAR) >= 0; // Since 1.13.
        if (draft.isForm(MessageForm.RESERVED_IN_TOTAL) && (ownClass || advice.contains("ifreservedmemoryis"))) {
            draft.form(MessageForm.RESERVED_WITH_ADVICE);
        }
        int setting = advice.indexOf("trysettingpytorch_");
        int equals = setting < 0 ? -1 : advice.indexOf('=', setting);
        if (equals > 0 && equals - setting < 48) {
            draft.advises(
                    advice.substring(setting + "trysetting".length(), equals).toUpperCase(Locale.ROOT));
        }
    }

    private static Framework frameworkByDevice(String lower, int from) {
        String near = lower.substring(from, Math.min(lower.length(), from + 40));
        if (near.contains("(npu")) {
            return Framework.TORCH_NPU;
        }
        return near.contains("(xpu") ? Framework.IPEX_XPU : Framework.PYTORCH_CUDA;
    }

    /** What stands before "Tried to allocate": who speaks, and where the message begins. */
    private record Head(Framework framework, String library, int start) {
        Head(Framework framework, int start) {
            this(framework, "", start);
        }

        static Optional<Head> before(String lower, int anchor) {
            int ipex = LookBack.to(IPEX_LIMIT, lower, anchor, LOOK_BACK);
            if (ipex >= 0) {
                return Optional.of(new Head(Framework.IPEX_XPU, ipex));
            }
            int says = LookBack.to(SAYS, lower, anchor, LOOK_BACK);
            if (says < 0 || !onlyPunctuation(lower, says + SAYS.length(), anchor)) {
                return Optional.empty();
            }
            return speaker(lower, says, anchor);
        }

        private static Optional<Head> speaker(String lower, int says, int anchor) {
            if (lower.startsWith("lacuna", says - 6)) {
                return Optional.of(new Head(Framework.OTHER, says - 6));
            }
            return switch (lower.substring(Math.max(0, says - 3), says)) {
                case "npu" -> Optional.of(new Head(Framework.TORCH_NPU, says - 3));
                case "hip" -> Optional.of(new Head(Framework.PYTORCH_ROCM, says - 3));
                case "xpu" -> Optional.of(new Head(xpu(lower, anchor), says - 3));
                case "mlu" -> Optional.of(new Head(Framework.OTHER, "torch_mlu", says - 3));
                default -> named(lower, says - 4);
            };
        }

        /** Makers whose extension of PyTorch speaks as PyTorch does are no CUDA: none of its variables is read there. */
        private static Optional<Head> named(String lower, int start) {
            if (lower.startsWith("musa", start)) {
                return Optional.of(new Head(Framework.OTHER, "torch_musa", start));
            }
            return lower.startsWith("cuda", start)
                    ? Optional.of(new Head(Framework.PYTORCH_CUDA, start))
                    : Optional.empty();
        }

        /** Intel's own extension kept the figures in parentheses; PyTorch's XPU allocator writes sentences. */
        private static Framework xpu(String lower, int anchor) {
            int end = Math.min(lower.length(), anchor + 60);
            int parenthesis = lower.substring(anchor, end).indexOf('(');
            return parenthesis >= 0 ? Framework.IPEX_XPU : Framework.PYTORCH_XPU;
        }

        private static boolean onlyPunctuation(String lower, int from, int to) {
            if (to - from > 8) {
                return false;
            }
            for (int i = from; i < to; i++) {
                if (Character.isLetterOrDigit(lower.charAt(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The device's word and number, such as {@code GPU 0}. */
    public static boolean readDevice(Cursor cursor, ReportDraft draft) {
        int before = cursor.position();
        String word = cursor.letters(16);
        OptionalLong number = word.isEmpty() ? OptionalLong.empty() : cursor.integer();
        if (number.isEmpty()) {
            cursor.moveTo(before);
            return false;
        }
        draft.on(word, number.getAsLong());
        draft.upTo(cursor.position());
        return true;
    }
}

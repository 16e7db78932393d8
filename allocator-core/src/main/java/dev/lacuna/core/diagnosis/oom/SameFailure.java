package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Framework.Family;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether two reports of a log tell of one failure: a message printed again without its class, cut off, inside a server's
 * own, or by each of the layers that it came through. Two that contradict each other never do.
 */
final class SameFailure {
    /** Lines between the words of the layers that a failure comes through: a traceback of one of them. */
    private static final long NEAR_LINES = 60;

    /** Lines between the processes that one control group loses at once. */
    private static final long EPISODE_LINES = 3;

    /** Figures of one failure are printed rounded and exactly. */
    private static final double ROUNDED = 1e-3;

    /** TensorFlow asks again for nine tenths of what was refused. */
    private static final double RETRY_LEAST = 0.85;

    private static final double RETRY_MOST = 0.95;

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private SameFailure() {}

    /** Whether the second, which stands behind the first, tells of the same. */
    static boolean tells(OomReport first, OomReport second) {
        if (!oneRank(first.rank(), second.rank()) || !oneDevice(first, second)) {
            return false;
        }
        if (areOpposite(first, second)) {
            return false;
        }
        boolean near = second.span().line() - first.span().lastLine() <= NEAR_LINES;
        if (near && isRetry(first, second)) {
            return true;
        }
        if (near && isCutClass(first, second)) {
            return true;
        }
        if (!agree(first.amounts(), second.amounts()) || !oneMemory(first, second)) {
            return false;
        }
        return sameMessage(first, second, near) || near && oneChain(first, second);
    }

    /** What a server says of its share in different words asks for different things: a larger one, a smaller one, others gone. */
    private static boolean areOpposite(OomReport a, OomReport b) {
        boolean servers = a.framework() == Framework.VLLM && b.framework() == Framework.VLLM;
        return servers
                && OF_A_SHARE.stream()
                        .anyMatch(c -> a.claims().contains(c) != b.claims().contains(c));
    }

    private static final List<Claim> OF_A_SHARE = List.of(Claim.SHARE_TOO_SMALL, Claim.HELD_BY_OTHERS);

    /** One layer names the device, the next one may leave it out. */
    private static boolean oneMemory(OomReport a, OomReport b) {
        boolean unsaid = a.framework() == b.framework()
                && (a.device().isEmpty() || b.device().isEmpty());
        return a.isOfHost() == b.isOfHost() || unsaid && a.framework() == Framework.TENSORFLOW;
    }

    /** RAPIDS raises Python's MemoryError; cut behind its class it says no more. */
    private static boolean isCutClass(OomReport a, OomReport b) {
        return a.library().filter("rmm"::equals).isPresent()
                && b.library().filter("python"::equals).isPresent()
                && b.amounts().isEmpty();
    }

    /** The same figures, or in what is left of a cut message some of them. */
    private static boolean sameMessage(OomReport a, OomReport b, boolean near) {
        if (a.framework() != b.framework()
                || a.amounts().isEmpty()
                || b.amounts().isEmpty()) {
            return false;
        }
        boolean all =
                a.amounts().keySet().equals(b.amounts().keySet()) && a.amounts().size() > 2;
        boolean some = a.amounts().keySet().containsAll(b.amounts().keySet())
                || b.amounts().keySet().containsAll(a.amounts().keySet());
        boolean sameRequest = a.triedBytes().isPresent() && b.triedBytes().isPresent();
        return all
                || isSaidAgain(a, b)
                || near
                        && some
                        && sameRequest
                        && a.amounts().size() != b.amounts().size();
    }

    /** A library's functions tell of one request one after the other, each in its own words. */
    private static boolean isSaidAgain(OomReport a, OomReport b) {
        boolean next = b.span().line() - a.span().lastLine() <= EPISODE_LINES;
        boolean figures = a.library().isPresent()
                && a.library().equals(b.library())
                && a.amounts().equals(b.amounts());
        return next && figures && !words(a).equals(words(b));
    }

    private static String words(OomReport report) {
        return NUMBER.matcher(report.text()).replaceAll("");
    }

    /** Layers that a failure comes through, at most one of which gives figures of its own. */
    private static boolean oneChain(OomReport a, OomReport b) {
        boolean asked = a.triedBytes().isPresent() && b.triedBytes().isPresent();
        if (a.isOfHost()) {
            return !asked && !secondKill(a, b);
        }
        boolean figures = !a.amounts().isEmpty() && !b.amounts().isEmpty();
        if (a.framework() == b.framework() && a.library().equals(b.library())) {
            return !figures && hasLayers(a, b);
        }
        return !asked && (isAscend(a) && isAscend(b) || wraps(a, b) || wraps(b, a));
    }

    /** PyTorch's pool prints a failure once, but for what was cut off; libraries, servers and runtimes print it in layers. */
    private static boolean hasLayers(OomReport a, OomReport b) {
        boolean library = a.claims().contains(Claim.OUTSIDE_ALLOCATION);
        boolean one = library == b.claims().contains(Claim.OUTSIDE_ALLOCATION);
        boolean cut = a.amounts().isEmpty() != b.amounts().isEmpty();
        return a.framework().family() != Family.TORCH || one && (library || cut);
    }

    private static boolean isAscend(OomReport r) {
        return switch (r.framework()) {
            case ASCEND_RUNTIME, TORCH_NPU, MINDSPORE_ASCEND -> true;
            default -> false;
        };
    }

    /** Servers that print PyTorch's failure below their own. */
    private static final Set<String> WRAPPING = Set.of("tensorrt-llm", "tgi");

    /** A server says in its own words that PyTorch, or CUDA below it, found no memory. */
    private static boolean wraps(OomReport server, OomReport inner) {
        boolean serves =
                server.framework() == Framework.VLLM && !server.claims().contains(Claim.SHARE_TOO_SMALL)
                        || server.library().filter(WRAPPING::contains).isPresent();
        boolean collective =
                server.claims().contains(Claim.COLLECTIVE) && inner.claims().contains(Claim.OUTSIDE_ALLOCATION);
        return (serves || collective) && inner.framework().family() == Family.TORCH;
    }

    /** The kernel announces a kill, then kills: what stands behind a kill belongs to the next one. */
    private static boolean secondKill(OomReport a, OomReport b) {
        boolean kernel = a.library().filter("linux"::equals).isPresent()
                && b.library().filter("linux"::equals).isPresent();
        boolean episode = a.claims().contains(Claim.CONTAINER)
                && b.claims().contains(Claim.CONTAINER)
                && b.span().line() - a.span().lastLine() <= EPISODE_LINES;
        return kernel && !episode && a.text().contains("Kill");
    }

    private static boolean isRetry(OomReport a, OomReport b) {
        boolean driver = a.framework() == Framework.TENSORFLOW
                && b.framework() == Framework.TENSORFLOW
                && ASKED_AGAIN.stream()
                        .anyMatch(c -> a.claims().contains(c) && b.claims().contains(c))
                && a.triedBytes().isPresent()
                && b.triedBytes().isPresent();
        if (!driver) {
            return false;
        }
        double share = (double) b.triedBytes().getAsLong() / a.triedBytes().getAsLong();
        boolean same = share == 1 && a.claims().contains(Claim.PINNED); // Driver and allocator tell of one request.
        return same || share >= RETRY_LEAST && share <= RETRY_MOST;
    }

    /** Of the device itself, and of the host's memory that is pinned for it. */
    private static final List<Claim> ASKED_AGAIN = List.of(Claim.OUTSIDE_ALLOCATION, Claim.PINNED);

    private static boolean agree(Map<Quantity, Long> a, Map<Quantity, Long> b) {
        return a.entrySet().stream().allMatch(e -> {
            Long other = b.get(e.getKey());
            return other == null || Math.abs(other - e.getValue()) <= ROUNDED * Math.max(other, e.getValue());
        });
    }

    /** A text without a rank belongs to whoever printed it too. */
    private static boolean oneRank(OptionalInt a, OptionalInt b) {
        return a.isEmpty() || b.isEmpty() || a.equals(b);
    }

    /** Layers call a device differently; its number tells it. */
    private static boolean oneDevice(OomReport a, OomReport b) {
        Matcher one = NUMBER.matcher(a.device().orElse(""));
        Matcher other = NUMBER.matcher(b.device().orElse(""));
        return !one.find() || !other.find() || one.group().equals(other.group());
    }
}

package dev.lacuna.core.planning.swap.adaptive.method;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which tensors to recompute by memory saving per second, as Capuchin chooses them (Peng et al., ASPLOS 2020, section 4.4):
 * the tensor that frees most for the time that recomputing costs goes first, and each choice changes what the others cost.
 *
 * <p>A tensor is recomputed from its sources, those of its ancestors that are there. Once a source is itself chosen, its
 * own sources stand in for it, and its time is added. A tensor that several chosen ones are recomputed from is made anew
 * for each of them, and that time counts too.
 */
final class RecomputeSources {
    /**
     * A tensor.
     *
     * @param bytes what evicting it frees
     * @param ns time to make it from its sources
     * @param sources numbers of the tensors that it is made of
     */
    record Candidate(long bytes, long ns, Set<Integer> sources) {
        Candidate {
            sources = Set.copyOf(sources);
        }
    }

    private final long[] bytes;
    private final long[] ns;
    private final long[] repeatedNs;
    private final List<Set<Integer>> sources = new ArrayList<>();
    private final List<Integer> chosen = new ArrayList<>();
    private final Set<Integer> open = new HashSet<>();

    /** @param tensors by number; those that free nothing are never chosen */
    RecomputeSources(List<Candidate> tensors) {
        bytes = tensors.stream().mapToLong(Candidate::bytes).toArray();
        ns = tensors.stream().mapToLong(Candidate::ns).toArray();
        repeatedNs = new long[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            sources.add(new HashSet<>(tensors.get(i).sources()));
            if (bytes[i] > 0) {
                open.add(i);
            }
        }
    }

    /** Takes a tensor out of the choice: it is swapped, say, so that it must be brought back to be a source. */
    void withdraw(int tensor) {
        open.remove(tensor);
    }

    /** The tensor with the highest saving per second, of equal ones the first; -1 when none is left. */
    int best() {
        int best = -1;
        for (int each : open) {
            if (best < 0 || better(each, best)) {
                best = each;
            }
        }
        return best;
    }

    private boolean better(int one, int other) {
        int order = Double.compare((double) bytes[one] / addedNs(one), (double) bytes[other] / addedNs(other));
        return order > 0 || order == 0 && one < other;
    }

    /** Time that recomputing a tensor adds now, nanoseconds. */
    long addedNs(int tensor) {
        return ns[tensor] + repeatedNs[tensor];
    }

    /** Tensors that a tensor would be recomputed from now. */
    Set<Integer> sourcesOf(int tensor) {
        return Set.copyOf(sources.get(tensor));
    }

    /** Chooses a tensor, and brings the others up to date. */
    void choose(int tensor) {
        chosen.forEach(each -> replaceSource(each, tensor));
        chosen.add(tensor);
        open.remove(tensor);
        for (int each : open) {
            if (replaceSource(each, tensor)) {
                ns[each] += ns[tensor];
            }
            repeatedNs[each] = ns[each] * users(each);
        }
    }

    private boolean replaceSource(int tensor, int source) {
        boolean was = sources.get(tensor).remove(source);
        if (was) {
            sources.get(tensor).addAll(sources.get(source));
        }
        return was;
    }

    private long users(int tensor) {
        return chosen.stream()
                .filter(each -> sources.get(each).contains(tensor))
                .count();
    }
}

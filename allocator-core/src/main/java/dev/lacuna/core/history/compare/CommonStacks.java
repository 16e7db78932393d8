package dev.lacuna.core.history.compare;

import dev.lacuna.core.history.attribution.TellingFrame;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One numbering for the stacks of two recordings. Between two runs the program is edited, and lines move: only the line that
 * tells most must be the same, of all others the file and the function.
 */
final class CommonStacks {
    private final int[] ofA;
    private final int[] ofB;
    private final List<List<Frame>> stacks = new ArrayList<>();

    CommonStacks(CallStacks a, CallStacks b) {
        Map<List<Frame>, Integer> numbers = new HashMap<>();
        boolean alike = a != b;
        ofA = number(a, numbers, alike);
        ofB = alike ? number(b, numbers, true) : ofA;
    }

    int size() {
        return stacks.size();
    }

    int ofA(int stack) {
        return ofA[stack];
    }

    int ofB(int stack) {
        return ofB[stack];
    }

    /** The frames of a common number, innermost first. */
    List<Frame> frames(int number) {
        return stacks.get(number);
    }

    private int[] number(CallStacks from, Map<List<Frame>, Integer> numbers, boolean alike) {
        int[] result = new int[Math.max(1, from.size())];
        for (int s = 0; s < result.length; s++) {
            List<Frame> frames = s < from.size() ? from.stack(s) : List.of();
            Integer number = numbers.putIfAbsent(alike ? loosened(frames) : frames, stacks.size());
            if (number == null) {
                number = stacks.size();
                stacks.add(frames);
            }
            result[s] = number;
        }
        return result;
    }

    private static List<Frame> loosened(List<Frame> frames) {
        Optional<Frame> telling = TellingFrame.of(frames);
        return frames.stream()
                .map(f -> telling.filter(f::equals).isPresent() ? f : new Frame(f.file(), 0, f.function()))
                .toList();
    }
}

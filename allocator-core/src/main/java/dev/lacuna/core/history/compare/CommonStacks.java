package dev.lacuna.core.history.compare;

import dev.lacuna.core.snapshot.CallStacks;
import dev.lacuna.core.snapshot.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One numbering for the stacks of two recordings: equal frames, equal number. */
final class CommonStacks {
    private final int[] ofA;
    private final int[] ofB;
    private final List<List<Frame>> stacks = new ArrayList<>();

    CommonStacks(CallStacks a, CallStacks b) {
        Map<List<Frame>, Integer> numbers = new HashMap<>();
        ofA = number(a, numbers);
        ofB = a == b ? ofA : number(b, numbers);
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

    private int[] number(CallStacks from, Map<List<Frame>, Integer> numbers) {
        int[] result = new int[Math.max(1, from.size())];
        for (int s = 0; s < result.length; s++) {
            List<Frame> frames = s < from.size() ? from.stack(s) : List.of();
            Integer number = numbers.putIfAbsent(frames, stacks.size());
            if (number == null) {
                number = stacks.size();
                stacks.add(frames);
            }
            result[s] = number;
        }
        return result;
    }
}

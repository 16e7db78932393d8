package dev.lacuna.core.planning.chain;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Schedules that keep the inputs of some stages and recompute each stretch between two of them once. */
final class Segments {
    private Segments() {}

    /** The schedule for segments that begin at the stages set in {@code begins}; stage 0 always begins one. */
    static List<ChainStep> schedule(int length, BitSet begins) {
        List<ChainStep> steps = new ArrayList<>();
        int last = Math.max(0, begins.previousSetBit(length - 1));
        for (int stage = 0; stage < last; stage++) {
            steps.add(ChainStep.forward(stage));
        }
        int end = length;
        for (int begin = last; ; begin = Math.max(0, begins.previousSetBit(end - 1))) {
            for (int stage = begin; stage < end; stage++) {
                steps.add(ChainStep.saving(stage));
            }
            for (int stage = end - 1; stage >= begin; stage--) {
                steps.add(ChainStep.backward(stage));
            }
            if (begin == 0) {
                return steps;
            }
            end = begin;
        }
    }
}

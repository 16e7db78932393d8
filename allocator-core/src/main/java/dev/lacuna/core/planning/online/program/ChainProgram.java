package dev.lacuna.core.planning.online.program;

import dev.lacuna.core.planning.chain.ChainProfile;
import dev.lacuna.core.planning.chain.ChainStage;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a chain as an operator program: each stage is a call forwards, whose outputs are the stage's output and what it
 * saves beside it, and one backwards. Working memory is an output that is dropped at once. The chain's input and the
 * first gradient are there from the beginning.
 */
final class ChainProgram {
    private static final double NS_PER_MS = 1e6;

    private final ChainProfile chain;
    private final OperatorProgram.Builder program = OperatorProgram.builder();
    private final List<Integer> outputs = new ArrayList<>();
    private final List<Integer> saved = new ArrayList<>();

    ChainProgram(ChainProfile chain) {
        this.chain = chain;
    }

    OperatorProgram program() {
        ChainStage last = chain.stages().get(chain.length() - 1);
        int input = constant(chain.inputBytes());
        int gradient = constant(last.outputBytes());
        for (int stage = 0; stage < chain.length(); stage++) {
            forward(stage, input(stage, input));
        }
        for (int stage = chain.length() - 1; stage >= 0; stage--) {
            gradient = backward(stage, input(stage, input), gradient, stage == chain.length() - 1);
        }
        program.pin(gradient);
        return program.build();
    }

    private int input(int stage, int first) {
        return stage == 0 ? first : outputs.get(stage - 1);
    }

    private int constant(long bytes) {
        int tensor = program.call(OperatorCall.CONSTANT, 0, new int[0], new long[] {bytes}, new int[] {-1});
        program.pin(tensor);
        return tensor;
    }

    private void forward(int index, int input) {
        ChainStage stage = chain.stages().get(index);
        long beside = stage.savedBytes() - stage.outputBytes();
        int first = program.call(
                stage.name(),
                Math.round(stage.forwardMs() * NS_PER_MS),
                new int[] {input},
                new long[] {stage.outputBytes(), beside, stage.forwardExtraBytes()},
                new int[] {-1, -1, -1});
        outputs.add(first);
        saved.add(first + 1);
        program.release(first + 2);
    }

    private int backward(int index, int input, int gradient, boolean first) {
        ChainStage stage = chain.stages().get(index);
        int made = program.call(
                stage.name() + ".backward",
                Math.round(stage.backwardMs() * NS_PER_MS),
                new int[] {gradient, outputs.get(index), saved.get(index), input},
                new long[] {chain.inputOf(index), stage.backwardExtraBytes()},
                new int[] {-1, -1});
        program.release(made + 1);
        program.release(outputs.get(index));
        program.release(saved.get(index));
        if (!first) {
            program.release(gradient);
        }
        return made;
    }
}

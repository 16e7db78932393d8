package dev.lacuna.core.planning.chain;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Chains for tests. */
final class Chains {
    private Chains() {}

    /** Stages of unit time and size that save nothing beside their output. */
    static ChainProfile alike(int length) {
        return new ChainProfile(1, Collections.nCopies(length, new ChainStage("s", 1, 2, 1, 1, 0, 0)));
    }

    static ChainProfile random(Random random, int length, int mostBytes) {
        List<ChainStage> stages = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            long output = 1 + random.nextInt(mostBytes);
            stages.add(new ChainStage(
                    "s" + i,
                    1 + random.nextInt(20),
                    1 + random.nextInt(40),
                    output,
                    output + random.nextInt(3 * mostBytes),
                    random.nextInt(2),
                    random.nextInt(2)));
        }
        return new ChainProfile(1 + random.nextInt(mostBytes), stages);
    }

    static ChainProfile scaled(ChainProfile chain, long times) {
        return new ChainProfile(
                chain.inputBytes() * times,
                chain.stages().stream()
                        .map(stage -> new ChainStage(
                                stage.name(),
                                stage.forwardMs(),
                                stage.backwardMs(),
                                stage.outputBytes() * times,
                                stage.savedBytes() * times,
                                stage.forwardExtraBytes() * times,
                                stage.backwardExtraBytes() * times))
                        .toList());
    }

    static long storeAllBytes(ChainProfile chain) {
        return new StoreAll().plan(chain, Long.MAX_VALUE).orElseThrow().peakBytes();
    }
}

package dev.lacuna.core.planning.method;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.base.Words;
import java.util.List;
import java.util.Locale;

/**
 * Why a method has no plan.
 *
 * @param reason what kind of reason
 * @param arguments numbers and names that its sentence mentions
 */
public record PlanFailure(Reason reason, List<String> arguments) {
    /** Kinds of reasons. */
    public enum Reason {
        /** The method does not work on such a profile. */
        CHAINS_ONLY("chains.only"),
        /** The method works on graphs only. */
        GRAPHS_ONLY("graphs.only"),
        /** The method works on programs, and on what can be written as one. */
        PROGRAMS_ONLY("programs.only"),
        /** The method needs what only a running process measures: copy times of each layer. */
        LAYERS_ONLY("layers.only"),
        /** The method needs every kernel of a step, and its tensors. */
        KERNELS_ONLY("kernels.only"),
        /** The method needs the modules inside a layer. */
        MODULES_ONLY("modules.only"),
        /** The method knows no plan within the budget. */
        DOES_NOT_FIT("does.not.fit"),
        /** The method's own plan needs more than the budget; argument: how much more, bytes. */
        OVER_BUDGET("over.budget"),
        /** The method found none before its effort was spent; there may be one. */
        UNDECIDED("undecided"),
        /** The time limit ended the method before it found one; there may be one. */
        OUT_OF_TIME("out.of.time"),
        /** More was recomputed than the limit allows. */
        THRASHED("thrashed"),
        /** The profile is larger than the method can take. */
        TOO_LARGE("too.large");

        private final String key;

        Reason(String key) {
            this.key = key;
        }

        /** Whether the method can say nothing about this profile, whatever the budget. */
        public boolean unsuited() {
            return this != DOES_NOT_FIT
                    && this != OVER_BUDGET
                    && this != UNDECIDED
                    && this != OUT_OF_TIME
                    && this != THRASHED;
        }
    }

    /** Names of methods, and sentences about profiles, plans and what they are written as. */
    public static final Words WORDS = new Words("dev.lacuna.core.planning.planner");

    public PlanFailure {
        arguments = List.copyOf(arguments);
    }

    /** A plan of stretches, nested checkpoints, operators, or none ahead, where actions of single layers are asked for. */
    public static RefusedException notByLayer() {
        return new RefusedException(WORDS.of("output.not.by.layer"));
    }

    static PlanFailure of(Reason reason, String... arguments) {
        return new PlanFailure(reason, List.of(arguments));
    }

    /** The reason in words. */
    public String text(Locale locale) {
        return WORDS.text(locale, "failure." + reason.key, arguments.toArray());
    }
}

package dev.lacuna.core.estimate.input;

import dev.lacuna.core.base.RefusedException;
import java.util.ArrayList;
import java.util.List;

/** Settings that the framework ignores, corrects or asks more of, while an estimate can still be made. */
final class SettingNotes {
    /** Tokens that a file says its model was made for. */
    static final String MADE_FOR = "made-for-length";

    private final Arguments arguments;

    SettingNotes(Arguments arguments) {
        this.arguments = arguments;
    }

    List<EstimateNote> all() {
        List<EstimateNote> notes = new ArrayList<>();
        if (arguments.text("num-query-groups").isPresent() && !arguments.on("group-query-attention")) {
            notes.add(EstimateNote.of("note.query.groups"));
        }
        if (arguments.text("recompute-granularity").orElse("").equals("full")) {
            full(notes);
        } else if (arguments.text("recompute-modules").isPresent() && !selective()) {
            notes.add(EstimateNote.of("note.modules"));
        }
        length(notes);
        mindspeed(notes);
        return notes;
    }

    /** What MindSpeed decides while it trains no formula knows before. */
    private void mindspeed(List<EstimateNote> notes) {
        if (arguments.on("adaptive-memory-optimization")) {
            adaptive(notes, "--adaptive-memory-optimization");
        } else if (arguments.on("adaptive-recompute-device-swap")
                || arguments
                        .text("adaptive-recompute-device-size")
                        .filter(size -> !size.startsWith("-") && !size.equals("0"))
                        .isPresent()) {
            adaptive(notes, "--adaptive-recompute-device-size");
        }
        for (String name : List.of("memory-fragmentation", "smart-swap")) {
            if (arguments.on(name)) {
                notes.add(EstimateNote.of("note.reserving", "--" + name));
            }
        }
        if (arguments.on("swap-attention") && arguments.text("swap-modules").isPresent()) {
            notes.add(EstimateNote.of("note.swap.modules"));
        }
    }

    private static void adaptive(List<EstimateNote> notes, String argument) {
        notes.add(EstimateNote.of("note.adaptive", argument));
        notes.add(EstimateNote.of(EstimateNote.LEADS_TO_PLAN));
    }

    /** Rotary positions go on beyond what the model was made for; learned ones are refused there. */
    private void length(List<EstimateNote> notes) {
        try {
            int made = arguments.number(MADE_FOR, Integer.MAX_VALUE, 1);
            int sequence = arguments.number("seq-length", 1, 1);
            if (sequence > made) {
                notes.add(EstimateNote.of("note.positions", Integer.toString(sequence), Integer.toString(made)));
            }
        } catch (RefusedException e) {
            // The estimate itself will say so.
        }
    }

    private boolean selective() {
        return arguments.text("recompute-granularity").orElse("").equals("selective")
                || arguments.on("recompute-activations");
    }

    private void full(List<EstimateNote> notes) {
        if (arguments.text("recompute-method").isEmpty()) {
            notes.add(EstimateNote.of("note.method"));
            return;
        }
        if (!arguments.text("recompute-method").orElse("").equals("block")) {
            return;
        }
        try {
            int stages = arguments.number("pipeline-model-parallel-size", 1, 1);
            int held = arguments.number("num-layers", Integer.MAX_VALUE, 1) / stages;
            int block = arguments.number("recompute-num-layers", 0, 0);
            if (block > held) {
                notes.add(EstimateNote.of("note.block", Integer.toString(block), Integer.toString(held)));
            }
        } catch (RefusedException e) {
            // The estimate itself will say so.
        }
    }
}

package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.mindformers.GridPosition;
import dev.lacuna.core.config.mindformers.InexpressibleGridException.Obstacle;
import dev.lacuna.core.config.mindformers.MindformersResult;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.OperatorState;
import dev.lacuna.core.config.mindformers.layer.OperatorState.SwapFate;
import dev.lacuna.core.config.mindformers.setting.Note;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Everything that is to be said about a checked grid, gravest first. */
final class Remarks {
    private static final Texts TEXTS = Texts.of("planner");

    private final Optional<ConfigDocument> file;
    private final Locale locale = Texts.locale();
    private final List<Remark> remarks = new ArrayList<>();

    private Remarks(Optional<ConfigDocument> file) {
        this.file = file;
    }

    static List<Remark> of(GridCheck check) {
        Remarks remarks = new Remarks(check.document());
        check.obstacles().forEach(remarks::obstacle);
        if (check.result() instanceof MindformersResult.Invalid invalid) {
            remarks.invalid(invalid);
        } else if (check.result() instanceof MindformersResult.Valid valid
                && check.obstacles().isEmpty()) {
            remarks.valid(valid);
        }
        return remarks.remarks.stream()
                .sorted(java.util.Comparator.comparing(Remark::kind))
                .toList();
    }

    private void obstacle(Obstacle obstacle) {
        remarks.add(new Remark(
                Remark.Kind.ERROR,
                "",
                obstacle.why().text(locale),
                obstacle.cells().stream().findFirst().map(cell -> GridPosition.of(cell.layer(), cell.operator()))));
    }

    private void invalid(MindformersResult.Invalid invalid) {
        remarks.add(new Remark(
                Remark.Kind.ERROR,
                TEXTS.get("mf.at", invalid.path().toString(), invalid.line()),
                invalid.why().text(locale),
                Optional.empty()));
    }

    private void valid(MindformersResult.Valid valid) {
        valid.notes().forEach(note -> remarks.add(note(note, cellOf(note, valid.grid()))));
        valid.environmentWarnings().forEach(note -> remarks.add(note(note, Optional.empty())));
        valid.frameworkWarnings()
                .forEach(warning -> remarks.add(new Remark(Remark.Kind.WARNING, "", warning, Optional.empty())));
    }

    private Remark note(Note note, Optional<GridPosition> cell) {
        Remark.Kind kind = switch (note.kind()) {
            case CONFLICT -> Remark.Kind.CONFLICT;
            case WITHOUT_EFFECT -> Remark.Kind.WITHOUT_EFFECT;
            case EFFECT -> Remark.Kind.EFFECT;
            case ENVIRONMENT -> Remark.Kind.ENVIRONMENT;
        };
        String where = file.filter(f -> f.at(note.path()).isPresent())
                .map(f -> TEXTS.get("mf.at", note.path().toString(), f.lineOf(note.path())))
                .orElse(note.path().toString());
        return new Remark(kind, where, note.message().text(locale), cell);
    }

    /** A conflict's first argument names its operators: the first cell that has it. */
    private static Optional<GridPosition> cellOf(Note note, List<LayerState> grid) {
        if (note.kind() != Note.Kind.CONFLICT) {
            return Optional.empty();
        }
        String operator = String.valueOf(note.message().arguments().get(0)).split(", ", -1)[0];
        SwapFate fate = note.message().key().endsWith("consumer") ? SwapFate.CONSUMER_RECOMPUTED : SwapFate.RECOMPUTED;
        for (LayerState row : grid) {
            for (OperatorState state : row.operators()) {
                if (state.operator().equals(operator) && state.fate() == fate) {
                    return Optional.of(GridPosition.of(row.layer(), operator));
                }
            }
        }
        return Optional.empty();
    }
}

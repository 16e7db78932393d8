package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.PrintedShape;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import java.util.List;
import java.util.OptionalLong;

/** What a tensor takes whose shape and type are printed, but not its size. */
public final class ShapeNote implements Rule<Verdict> {
    static final String ID = "shape";

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        OptionalLong bytes = e.tried().isPresent() ? OptionalLong.empty() : PrintedShape.of(e.report());
        return bytes.isPresent()
                ? List.of(Finding.of(ID, Text.of("finding.shape", Text.size(bytes.getAsLong())))
                        .with("tensor", bytes.getAsLong()))
                : List.of();
    }
}

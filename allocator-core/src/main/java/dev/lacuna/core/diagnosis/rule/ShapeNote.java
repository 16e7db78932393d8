package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.PrintedShape;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What a tensor takes whose shape and type are printed, but not its size; and of which shape NumPy's array is. */
public final class ShapeNote implements Rule<Verdict> {
    static final String ID = "shape";

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        Optional<String> array =
                e.report().library().filter("numpy"::equals).flatMap(l -> PrintedShape.ofArray(e.report()));
        long size = e.tried().orElseGet(() -> e.request().largestAsked());
        if (array.isPresent() && size > 0) {
            Text shape = Text.of("finding.shape.array", Text.word(array.get()), Text.size(size));
            return List.of(Finding.of(ID, shape).with("tensor", size));
        }
        OptionalLong bytes = e.tried().isPresent() ? OptionalLong.empty() : PrintedShape.of(e.report());
        return bytes.isPresent()
                ? List.of(Finding.of(ID, Text.of("finding.shape", Text.size(bytes.getAsLong())))
                        .with("tensor", bytes.getAsLong()))
                : List.of();
    }
}

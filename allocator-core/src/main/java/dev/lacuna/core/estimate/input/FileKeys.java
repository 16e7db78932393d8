package dev.lacuna.core.estimate.input;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.estimate.term.Term;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which keys of a file answer which arguments, so that a refusal names what stands in the file. */
final class FileKeys {
    /** What no estimate can do without. */
    private static final List<String> NEEDED =
            List.of("num-layers", "hidden-size", "num-attention-heads", "seq-length");

    private record Fault(String key, int line, String written) {}

    private final ConfigDocument file;
    private final String format;
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, Fault> faults = new LinkedHashMap<>();
    private final Map<List<String>, EstimateNote> assumed = new LinkedHashMap<>();

    /** @param format name of the file's format, for people */
    FileKeys(ConfigDocument file, String format) {
        this.file = file;
        this.format = format;
    }

    /** The whole number at this place; what stands there and is none is remembered as the argument's fault. */
    Optional<String> whole(String argument, ConfigPath path) {
        names.putIfAbsent(argument, path.toString());
        Optional<ConfigValue> value = file.at(path).filter(v -> !(v instanceof ConfigValue.Nothing));
        if (value.isEmpty()) {
            return Optional.empty();
        }
        int least = NEEDED.contains(argument) ? 1 : 0;
        if (value.get() instanceof ConfigValue.Whole whole
                && whole.value().bitLength() < 31
                && whole.clamped() >= least) {
            return Optional.of(Integer.toString(whole.clamped()));
        }
        faults.putIfAbsent(
                argument,
                new Fault(path.toString(), file.lineOf(path), value.get().literal()));
        return Optional.empty();
    }

    /** Remembers a note that holds as long as none of these arguments is given beside the file. */
    void assume(List<String> unless, EstimateNote note) {
        assumed.put(unless, note);
    }

    /** The notes that hold beside these arguments. */
    List<EstimateNote> assumptions(Arguments overriding) {
        return assumed.entrySet().stream()
                .filter(one -> one.getKey().stream()
                        .allMatch(name -> overriding.text(name).isEmpty()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** @throws RefusedException when the file, which nothing overrides there, says something impossible, or too little */
    void check(Arguments merged) throws RefusedException {
        for (Map.Entry<String, Fault> fault : faults.entrySet()) {
            if (merged.text(fault.getKey()).isEmpty()) {
                Fault at = fault.getValue();
                throw new RefusedException(Term.WORDS.of(
                        "refused.key.number", at.key(), Integer.toString(at.line()), format, at.written()));
            }
        }
        for (String argument : NEEDED) {
            if (merged.text(argument).isEmpty() && names.containsKey(argument)) {
                throw new RefusedException(Term.WORDS.of("refused.key.missing", names.get(argument), format, argument));
            }
        }
    }
}

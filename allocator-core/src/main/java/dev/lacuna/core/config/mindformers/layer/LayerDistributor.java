package dev.lacuna.core.config.mindformers.layer;

import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Gives every mini-stage ⌊layers / mini-stages⌋ layers and its offset, with the checks of MindFormers' LayerSetting and our own. */
public final class LayerDistributor {
    private final ModelShape shape;
    private final ConfigPath path;

    public LayerDistributor(ModelShape shape) {
        this.shape = shape;
        this.path = shape.offsetPath();
    }

    public LayerDistribution distribute() throws InvalidSettingException {
        List<List<Integer>> offsets = offsets();
        int miniStages = shape.stages() * shape.interleaves();
        int share = shape.layers() / miniStages;
        List<List<Integer>> counts = new ArrayList<>();
        long total = 0;
        for (int v = 0; v < shape.interleaves(); v++) {
            List<Integer> row = new ArrayList<>();
            for (int s = 0; s < shape.stages(); s++) {
                int count = share + offsets.get(v).get(s);
                if (count < 0) {
                    throw new InvalidSettingException(path, "offset.negative", v, s, count, -share);
                }
                total += count;
                row.add(count);
            }
            counts.add(row);
        }
        if (total != shape.layers()) {
            throw new InvalidSettingException(path, "offset.broadcast", total, shape.layers(), shape.interleaves());
        }
        return new LayerDistribution(counts, shape.firstStage());
    }

    private List<List<Integer>> offsets() throws InvalidSettingException {
        ConfigValue offset = shape.offset();
        List<List<Integer>> rows;
        long sum;
        if (offset instanceof ConfigValue.Items items) {
            boolean nested = !items.values().isEmpty() && items.values().get(0) instanceof ConfigValue.Items;
            List<List<Integer>> given = nested ? nested(items) : List.of(row(items, path));
            sum = given.stream()
                    .flatMap(List::stream)
                    .mapToLong(Integer::longValue)
                    .sum();
            rows = nested ? given : Collections.nCopies(shape.interleaves(), given.get(0));
        } else {
            int scalar = number(offset, path);
            sum = scalar;
            rows = Collections.nCopies(shape.interleaves(), Collections.nCopies(shape.stages(), scalar));
        }
        int rest = shape.layers() % (shape.stages() * shape.interleaves());
        if (sum != rest) {
            throw new InvalidSettingException(
                    path, "offset.sum", sum, shape.layers(), shape.stages(), shape.interleaves(), rest);
        }
        return rows;
    }

    private List<List<Integer>> nested(ConfigValue.Items items) throws InvalidSettingException {
        List<List<Integer>> rows = new ArrayList<>();
        for (int v = 0; v < items.values().size(); v++) {
            if (!(items.values().get(v) instanceof ConfigValue.Items row)) {
                throw new InvalidSettingException(
                        path.child(v), "offset.type", items.values().get(v).literal());
            }
            rows.add(row(row, path.child(v)));
        }
        if (rows.size() != shape.interleaves()) {
            throw new InvalidSettingException(path, "offset.rows", rows.size(), shape.interleaves());
        }
        return rows;
    }

    private List<Integer> row(ConfigValue.Items items, ConfigPath at) throws InvalidSettingException {
        if (items.values().size() != shape.stages()) {
            throw new InvalidSettingException(
                    at, "offset.columns", items.values().size(), shape.stages());
        }
        List<Integer> row = new ArrayList<>();
        for (int s = 0; s < items.values().size(); s++) {
            row.add(number(items.values().get(s), at.child(s)));
        }
        return row;
    }

    /** Offsets beyond the number of layers only overflow. */
    private int number(ConfigValue value, ConfigPath at) throws InvalidSettingException {
        Optional<BigInteger> number = Python.integer(value);
        if (number.isEmpty()) {
            throw new InvalidSettingException(at, "offset.type", value.literal());
        }
        if (number.get().abs().compareTo(BigInteger.valueOf(ModelShape.MOST_LAYERS)) > 0) {
            throw new InvalidSettingException(at, "offset.large", value.literal(), ModelShape.MOST_LAYERS);
        }
        return number.get().intValue();
    }
}

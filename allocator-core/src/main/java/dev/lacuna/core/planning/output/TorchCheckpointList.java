package dev.lacuna.core.planning.output;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.planning.method.CheckpointTree;
import dev.lacuna.core.planning.method.CheckpointTree.Item;
import dev.lacuna.core.planning.method.PlanFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A chain's checkpoints as a Python file that wraps a model's modules with {@code torch.utils.checkpoint}: a single
 * module whatever it takes and gives, a stretch of modules where each hands one tensor to the next and all share what
 * else they are called with.
 */
public final class TorchCheckpointList {
    private static final String PROGRAM = """
            import torch
            from torch.utils.checkpoint import checkpoint

            # A string is a module that keeps what its backward pass needs; a tuple keeps its input only and runs again.
            CHECKPOINTS = (
            %s)


            def _names(item):
                return [item] if isinstance(item, str) else [name for part in item for name in _names(part)]


            def _nested(item):
                return any(isinstance(part, tuple) for part in item)


            def apply(model):
                \"""Wraps the modules of CHECKPOINTS in the model and returns it.\"""
                modules = dict(model.named_modules())
                missing = [name for item in CHECKPOINTS for name in _names(item) if name not in modules]
                if missing:
                    raise KeyError("the model has no module " + ", ".join(missing))
                for item in CHECKPOINTS:
                    _wrap(item, modules)
                return model


            def _same(one, other):
                return len(one) == len(other) and all(a is b for a, b in zip(one, other))


            def _wrap(item, modules):
                names = _names(item)
                forwards = {name: modules[name].forward for name in names}
                further = [(), {}]
                # Checkpoints inside checkpoints need PyTorch 2.1, or the older, re-entrant kind.
                old = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2]) < (2, 1)
                reentrant = old and _nested(item)

                def run(part, x, *args, **kwargs):
                    if isinstance(part, str):
                        return forwards[part](x, *args, **kwargs)
                    for i, inner in enumerate(part):
                        x = (run if isinstance(inner, str) else again)(inner, x, *args, **kwargs)
                        if i + 1 < len(part) and not isinstance(x, torch.Tensor):
                            raise TypeError(f"{inner} does not hand one tensor to the next module")
                    return x

                def again(part, x, *args, **kwargs):
                    if not torch.is_grad_enabled():
                        return run(part, x, *args, **kwargs)
                    if reentrant:
                        return checkpoint(lambda *a: run(part, *a, **kwargs), x, *args, use_reentrant=True)
                    return checkpoint(run, part, x, *args, use_reentrant=False, **kwargs)

                def first(x, *args, **kwargs):
                    further[:] = [args, kwargs]
                    return again(item, x, *args, **kwargs)

                def later(x, *args, **kwargs):
                    if not _same(args, further[0]) or not _same([*kwargs.values()], [*further[1].values()]):
                        raise TypeError("modules of one stretch are called with unlike arguments")
                    return x

                modules[names[0]].forward = first
                for name in names[1:]:
                    modules[name].forward = later
            """;

    private TorchCheckpointList() {}

    /**
     * The Python file.
     *
     * @param names paths of the modules in the model, a stage of the chain each
     * @param tree what to wrap
     * @throws RefusedException when nothing is to be wrapped
     */
    public static String of(List<String> names, CheckpointTree tree) throws RefusedException {
        List<Item> wrapped =
                tree.items().stream().filter(Item.Checkpoint.class::isInstance).toList();
        if (wrapped.isEmpty()) {
            throw new RefusedException(PlanFailure.WORDS.of("output.nothing"));
        }
        return PROGRAM.formatted(
                wrapped.stream().map(item -> "    " + text(item, names) + ",\n").collect(Collectors.joining()));
    }

    /** The modules' names as a tuple tells them, nested where checkpoints are. */
    private static String text(Item item, List<String> names) {
        if (item instanceof Item.Checkpoint checkpoint) {
            List<String> parts = new ArrayList<>();
            checkpoint.again().forEach(inner -> parts.add(text(inner, names)));
            return "(" + String.join(", ", parts) + (parts.size() == 1 ? "," : "") + ")";
        }
        return "\""
                + names.get(item.begin())
                        .replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n") + "\"";
    }
}

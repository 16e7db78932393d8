package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.history.attribution.FrameTree;
import dev.lacuna.core.history.attribution.StackTree;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javafx.collections.ObservableList;
import javafx.scene.control.TreeItem;

/** One unbranched line of frames in the table of stacks. Its children are made when they are first looked at. */
final class LineItem extends TreeItem<LineItem.Line> {
    /**
     * A row.
     *
     * @param tree what it is of
     * @param first first node
     * @param last last node
     */
    record Line(StackTree tree, int first, int last) {
        long bytes() {
            return tree.bytes(first);
        }
    }

    private final Set<Integer> open;
    private boolean made;

    /** @param open the first nodes of the lines that are expanded; kept up to date, so that another moment looks the same */
    LineItem(StackTree tree, int first, Set<Integer> open) {
        super(new Line(tree, first, first == FrameTree.ROOT ? first : tree.lineEnd(first)));
        this.open = open;
        setExpanded(first == FrameTree.ROOT || open.contains(first));
        expandedProperty().addListener((property, before, now) -> {
            if (now) {
                open.add(first);
            } else {
                open.remove(first);
            }
        });
    }

    @Override
    public boolean isLeaf() {
        return getValue().tree().childCount(getValue().last()) == 0;
    }

    @Override
    public ObservableList<TreeItem<Line>> getChildren() {
        if (!made) {
            made = true;
            Line line = getValue();
            List<LineItem> items = Arrays.stream(line.tree().children(line.last()))
                    .mapToObj(child -> new LineItem(line.tree(), child, open))
                    .toList();
            super.getChildren().setAll(items);
        }
        return super.getChildren();
    }
}

package dev.lacuna.ui.chart;

import java.util.ArrayList;
import java.util.List;
import javafx.geometry.VPos;
import javafx.scene.Group;
import javafx.scene.text.Text;
import javafx.scene.text.TextAlignment;

/** Words of one kind along an axis, reused from picture to picture and touched only when they change. */
public final class AxisText {
    private final Group group;
    private final String styleClass;
    private final List<Text> all = new ArrayList<>();
    private int used;

    /** Words of this style class in this group. */
    public AxisText(Group group, String styleClass) {
        this.group = group;
        this.styleClass = styleClass;
    }

    /** From now on words are put; those that are not put again until {@link #end} disappear. */
    public void begin() {
        used = 0;
    }

    /** Centres a text on a height; {@code anchor} is the share of its width that lies left of x. */
    public Text put(String words, double x, double y, double anchor) {
        if (used == all.size()) {
            Text text = new Text();
            text.getStyleClass().add(styleClass);
            text.setTextOrigin(VPos.CENTER);
            text.setTextAlignment(TextAlignment.LEFT);
            all.add(text);
            group.getChildren().add(text);
        }
        Text text = all.get(used++);
        text.setVisible(true);
        if (!text.getText().equals(words)) {
            text.setText(words);
        }
        text.setX(Math.round(x - anchor * text.getLayoutBounds().getWidth()));
        text.setY(Math.round(y));
        return text;
    }

    /** All words are put. */
    public void end() {
        for (Text text : all.subList(used, all.size())) {
            text.setVisible(false);
        }
    }
}

package dev.lacuna.ui.parts;

import javafx.beans.value.ChangeListener;
import javafx.event.Event;
import javafx.event.EventDispatcher;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Skin;
import javafx.scene.control.skin.ScrollPaneSkin;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;

/**
 * Scrolls upwards and downwards, and otherwise keeps out of the way: it leaves keys to the shortcuts of the place (but for page up and page
 * down), the keyboard to what was pressed, and brings into sight what has the focus.
 */
public final class CalmScroll extends ScrollPane {
    private final ChangeListener<Node> reveal = (property, before, now) -> reveal(now);

    /** Scrolls this, which is as wide as there is room, and at least as high. */
    public CalmScroll(Region content) {
        super(content);
        setFitToWidth(true);
        setFitToHeight(true);
        setHbarPolicy(ScrollBarPolicy.NEVER);
        setMinWidth(0);
        setFocusTraversable(false);
        getStyleClass().addAll("edge-to-edge", "side");
        content.addEventHandler(MouseEvent.MOUSE_PRESSED, Event::consume);
        EventDispatcher usual = getEventDispatcher();
        setEventDispatcher(
                (event, tail) -> isLeftAlone(event) ? tail.dispatchEvent(event) : usual.dispatchEvent(event, tail));
        sceneProperty().addListener((property, before, now) -> {
            if (before != null) {
                before.focusOwnerProperty().removeListener(reveal);
            }
            if (now != null) {
                now.focusOwnerProperty().addListener(reveal);
            }
        });
    }

    /** Its skin keeps a picture of all that is in it, which is made anew whenever a number in it changes: dearer than painting that. */
    @Override
    protected Skin<?> createDefaultSkin() {
        ScrollPaneSkin skin = new ScrollPaneSkin(this);
        getChildrenUnmodifiable().stream()
                .filter(child -> child.getStyleClass().contains("viewport"))
                .forEach(viewport -> viewport.setCache(false));
        return skin;
    }

    private static boolean isLeftAlone(Event event) {
        return event instanceof KeyEvent key && key.getCode() != KeyCode.PAGE_UP && key.getCode() != KeyCode.PAGE_DOWN;
    }

    private void reveal(Node focused) {
        if (focused == null || !isBelow(focused)) {
            return;
        }
        Bounds at = getContent().sceneToLocal(focused.localToScene(focused.getLayoutBounds()));
        double seen = getViewportBounds().getHeight();
        double hidden = getContent().getLayoutBounds().getHeight() - seen;
        if (hidden <= 0 || at == null) {
            return;
        }
        double top = getVvalue() * hidden;
        if (at.getMinY() < top) {
            setVvalue(at.getMinY() / hidden);
        } else if (at.getMaxY() > top + seen) {
            // Of what is higher than the window the upper edge.
            setVvalue(Math.min(at.getMinY(), at.getMaxY() - seen) / hidden);
        }
    }

    private boolean isBelow(Node node) {
        for (Node above = node; above != null; above = above.getParent()) {
            if (above == getContent()) {
                return true;
            }
        }
        return false;
    }
}

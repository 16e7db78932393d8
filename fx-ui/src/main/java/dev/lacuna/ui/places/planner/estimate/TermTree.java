package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.function.Function;
import javafx.beans.property.SimpleStringProperty;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.control.TreeItem;
import javafx.scene.control.TreeTableCell;
import javafx.scene.control.TreeTableColumn;
import javafx.scene.control.TreeTableView;

/** Numbers that open into how they came about. */
final class TermTree extends TreeTableView<Term> {
    private static final Texts TEXTS = Texts.of("planner");

    TermTree(EstimateViewModel model) {
        setId("est-terms");
        setShowRoot(false);
        setColumnResizePolicy(CONSTRAINED_RESIZE_POLICY_FLEX_NEXT_COLUMN);
        setPlaceholder(new Label());
        accessibleTextProperty().bind(TEXTS.bind("est.terms"));
        column("est.term", 230, term -> term.name(Texts.locale())).setMinWidth(150);
        TreeTableColumn<Term, String> value = column("est.value", 100, EstimateText::value);
        value.getStyleClass().add("numbers");
        value.setMinWidth(92);
        value.setCellFactory(any -> new TermCell(TermTree::exact));
        column("est.formula", 400, EstimateText::formula);
        column("est.source", 150, term -> term.source().reference(Texts.locale()));
        model.termsProperty().addListener((property, before, now) -> show(now));
        Texts.wordingProperty().addListener(any -> refresh());
        show(model.termsProperty().get());
    }

    private TreeTableColumn<Term, String> column(String title, double width, Function<Term, String> text) {
        TreeTableColumn<Term, String> column = new TreeTableColumn<>();
        column.textProperty().bind(TEXTS.bind(title));
        column.setPrefWidth(width);
        column.setSortable(false);
        column.setReorderable(false);
        column.setCellValueFactory(
                row -> new SimpleStringProperty(text.apply(row.getValue().getValue())));
        column.setCellFactory(any -> new TermCell(text));
        getColumns().add(column);
        return column;
    }

    private static String exact(Term term) {
        return switch (term.unit()) {
            case BYTES -> ByteText.exact(term.rounded());
            case PARAMETERS, FLOPS -> String.format(Texts.locale(), "%,.0f", term.value());
            case MICRO_BATCHES -> EstimateText.value(term);
        };
    }

    private void show(List<Term> terms) {
        TreeItem<Term> root = new TreeItem<>();
        for (Term term : terms) {
            TreeItem<Term> item = item(term);
            item.setExpanded(root.getChildren().isEmpty());
            root.getChildren().add(item);
        }
        setRoot(root);
    }

    private static TreeItem<Term> item(Term term) {
        TreeItem<Term> item = new TreeItem<>(term);
        term.parts().forEach(part -> item.getChildren().add(item(part)));
        return item;
    }

    /** What does not fit its column is whole on hover; bytes are exact. */
    private static final class TermCell extends TreeTableCell<Term, String> {
        private static final double WIDEST = 640;

        private final Function<Term, String> exact;
        private final Tooltip whole = new Tooltip();

        TermCell(Function<Term, String> exact) {
            this.exact = exact;
            getStyleClass().add("may-shorten");
            whole.setWrapText(true);
            whole.setMaxWidth(WIDEST);
        }

        @Override
        protected void updateItem(String text, boolean empty) {
            super.updateItem(text, empty);
            setText(empty ? null : text);
            Term term = empty || getTableRow() == null ? null : getTableRow().getItem();
            whole.setText(term == null ? text : exact.apply(term));
            setTooltip(empty ? null : whole);
        }
    }
}

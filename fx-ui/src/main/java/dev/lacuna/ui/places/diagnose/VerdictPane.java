package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.oom.model.PrintedNumber;
import dev.lacuna.ui.parts.Copying;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** One verdict: the message in colours over the card to scale, the cause in one sentence, findings, remedies. */
final class VerdictPane extends ScrollPane {
    private static final Texts TEXTS = Texts.of("diagnose");

    /** Two lines: what comes and goes moves nothing. */
    private static final double GLOSSARY_HEIGHT = 42;

    private final DiagnoseViewModel model;
    private final ContextView context = new ContextView();
    private final MessageView message = new MessageView();
    private final Label cardTitle = new Label();
    private final MemoryBar bar = new MemoryBar();
    private final BarLegend legend = new BarLegend();
    private final Label needed = words("needed");
    private final VBox picture = new VBox(cardTitle, bar, legend, needed);
    private final Label badge = words("badge");
    private final Label confidence = words("muted");
    private final Label where = words("muted");
    private final Label headline = words("headline");
    private final Label explanation = words("muted");
    private final VBox figures = new VBox();
    private final VBox rule = new VBox();
    private final VBox findings = new VBox();
    private final VBox remedies = new VBox();
    private final VBox across = new VBox();
    private final VBox listings = new VBox();
    private final Label glossary = words("muted");

    VerdictPane(DiagnoseViewModel model, Runnable saveHtml) {
        this.model = model;
        setId("verdict");
        getStyleClass().addAll("edge-to-edge", "verdict-scroll");
        setFitToWidth(true);
        setHbarPolicy(ScrollBarPolicy.NEVER);
        badge.setId("verdict-cause");
        headline.setId("verdict-headline");
        explanation.setId("verdict-explanation");
        cardTitle.getStyleClass().add("muted");
        picture.getStyleClass().add("card-picture");
        glossary.setId("glossary");
        glossary.getStyleClass().add("glossary");
        glossary.setMinHeight(GLOSSARY_HEIGHT);
        glossary.setAlignment(javafx.geometry.Pos.TOP_LEFT);
        message.pointedProperty().addListener((property, before, now) -> point(now));
        VBox evidence = new VBox(message, glossary, picture, context);
        evidence.getStyleClass().addAll("card", "evidence");
        HBox cause = new HBox(badge, confidence);
        cause.getStyleClass().add("cause");
        cause.setAlignment(Pos.CENTER_LEFT);
        Region space = new Region();
        VBox.setVgrow(space, Priority.ALWAYS);
        where.setId("verdict-where");
        where.getStyleClass().add("small");
        VBox verdict = new VBox(cause, where, headline, explanation, figures, rule, space, copyMarkdown(saveHtml));
        verdict.getStyleClass().addAll("card", "verdict");
        HBox top = new HBox(evidence, verdict);
        top.getStyleClass().add("columns");
        // Both columns take half of the room, whatever their words want.
        for (VBox column : new VBox[] {evidence, verdict}) {
            column.setMinWidth(0);
            column.setPrefWidth(0);
            HBox.setHgrow(column, Priority.ALWAYS);
        }
        findings.getStyleClass().add("cards");
        remedies.getStyleClass().add("cards");
        across.getStyleClass().add("cards");
        listings.getStyleClass().add("cards");
        VBox content = new VBox(
                top,
                section("across.title", across),
                section("listings.beside", listings),
                section("remedies.title", remedies),
                section("findings.title", findings));
        content.getStyleClass().add("place-content");
        setContent(content);
        model.verdictProperty().addListener((property, before, now) -> show(now));
        show(model.verdictProperty().get());
        model.acrossProperty().addListener((property, before, now) -> showAcross(now));
        showAcross(model.acrossProperty().get());
    }

    private void showAcross(List<FindingWords> said) {
        across.getChildren().setAll(said.stream().map(FindingCard::new).toList());
        across.getParent().setVisible(!said.isEmpty());
        across.getParent().setManaged(!said.isEmpty());
    }

    /** The number under the pointer is explained below the message, and its piece of the card stands out. */
    private void point(Optional<PrintedNumber> number) {
        glossary.setText(number.map(MessageView::meaning)
                .map(text -> text.replace("\n", " · "))
                .orElse(""));
        Optional<String> style = number.flatMap(n -> MessagePieces.styleOf(n.quantity()));
        bar.point(style);
    }

    private void show(Optional<VerdictWords> shown) {
        if (shown.isEmpty()) {
            return;
        }
        VerdictWords verdict = shown.get();
        context.show(verdict.report());
        message.show(verdict.report());
        Optional<CardPicture> card = CardPicture.of(verdict.report());
        picture.setVisible(card.isPresent());
        picture.setManaged(card.isPresent());
        card.ifPresent(c -> {
            cardTitle.setText(TEXTS.get("card.title", ByteText.of(c.totalBytes())));
            bar.show(c);
            legend.show(c);
        });
        listings.getChildren()
                .setAll(verdict.report().listings().stream()
                        .map(ListingPicture::of)
                        .map(ListingCard::new)
                        .toList());
        listings.getParent().setVisible(!listings.getChildren().isEmpty());
        listings.getParent().setManaged(listings.getParent().isVisible());
        needed.setText(verdict.needed());
        badge.setText(verdict.badge());
        badge.getStyleClass().setAll("label", "badge", verdict.cause());
        confidence.setText(verdict.confidence());
        where.setText(verdict.where());
        headline.setText(verdict.headline());
        explanation.setText(verdict.reason().sentence());
        figures.getChildren().setAll(new FigureGrid(verdict.reason().figures()));
        showFindings(verdict);
        remedies.getChildren().clear();
        for (int i = 0; i < verdict.remedies().size(); i++) {
            remedies.getChildren().add(new RemedyCard(i + 1, verdict.remedies().get(i), model));
        }
        setVvalue(0);
    }

    /** The field's rule stands beside the verdict, because people ask for it first; the rest comes below. */
    private void showFindings(VerdictWords verdict) {
        Map<Boolean, List<FindingCard>> cards = verdict.findings().stream()
                .collect(Collectors.partitioningBy(
                        f -> f.id().equals(VerdictText.ONE_GIB_RULE),
                        Collectors.mapping(FindingCard::new, Collectors.toList())));
        rule.getChildren().setAll(cards.get(true));
        findings.getChildren().setAll(cards.get(false));
        findings.getParent().setVisible(!cards.get(false).isEmpty());
        findings.getParent().setManaged(!cards.get(false).isEmpty());
    }

    private HBox copyMarkdown(Runnable saveHtml) {
        Button copy = new Button(null, new FontIcon("fth-copy"));
        copy.setId("copy-markdown");
        copy.textProperty().bind(TEXTS.bind("copy.markdown"));
        copy.setOnAction(e -> copyShown());
        Button save = new Button(null, new FontIcon("fth-download"));
        save.setId("save-html");
        save.textProperty().bind(TEXTS.bind("save.html"));
        save.setOnAction(e -> saveHtml.run());
        HBox row = new HBox(copy, save);
        row.getStyleClass().add("buttons");
        return row;
    }

    /** Puts the verdict that is shown on the clipboard, as Markdown. */
    void copyShown() {
        model.markdown().ifPresent(markdown -> {
            Copying.copy(markdown);
            model.copied(TEXTS.get("copied.verdict"));
        });
    }

    private static VBox section(String titleKey, VBox cards) {
        VBox section = new VBox(Labels.of(TEXTS.bind(titleKey), "section-title"), cards);
        section.getStyleClass().add("section");
        return section;
    }

    private static Label words(String styleClass) {
        Label label = new Label();
        label.getStyleClass().add(styleClass);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }
}

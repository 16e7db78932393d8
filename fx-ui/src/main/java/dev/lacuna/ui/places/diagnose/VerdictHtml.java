package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.ListingVerdict;
import dev.lacuna.core.diagnosis.oom.model.PrintedNumber;
import dev.lacuna.core.diagnosis.report.Html;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Verdicts as one page of HTML that needs nothing else: every report with its message, its numbers marked and explained,
 * the card to scale, findings and remedies; then the tables of memory that stand alone. For whoever has no window.
 */
public final class VerdictHtml {
    private static final Texts TEXTS = Texts.of("diagnose");

    private static final String STYLE = """
            :root { color-scheme: light dark }
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
            article { border: 1px solid #8885; border-radius: .6rem; padding: 1rem 1.25rem; margin: 1rem 0 }
            pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: .75rem; border-radius: .4rem }
            mark { background: #f5a62333; color: inherit; border-radius: .2rem; padding: 0 .15rem }
            .bar { display: flex; height: 2.2rem; border-radius: .3rem; overflow: hidden }
            .bar span { overflow: hidden; white-space: nowrap; font-size: 12px; line-height: 2.2rem; color: #fff; text-indent: .4rem }
            .allocated { background: #2e8b57 } .gap { background: #d97706 } .reserved { background: #3b74d9 }
            .free { background: #8b7fd6 } .outside, .unknown { background: #777 }
            td.listing { width: 20rem } td.listing span { display: block; height: .8rem }
            .muted { opacity: .7 } .cause { font-weight: 600 }
            """;

    private VerdictHtml() {}

    /**
     * The page of these logs, in the language of the texts.
     *
     * @param across what several reports tell together
     * @param listings what tables of memory say that stand alone
     */
    public static String of(List<JudgedLog> logs, List<Finding> across, List<ListingVerdict> listings) {
        List<LogCase> cases = logs.stream()
                .flatMap(log -> log.diagnoses().stream().map(diagnosis -> new LogCase(log::source, diagnosis)))
                .toList();
        return of(
                logs.size() == 1 ? logs.get(0).source() : TEXTS.get("source.files", logs.size()),
                cases,
                across.stream().map(FindingWords::across).toList(),
                listings.stream().map(ListingWords::of).toList());
    }

    /** The page. */
    static String of(String title, List<LogCase> cases, List<FindingWords> across, List<ListingWords> listings) {
        Html html = Html.page(Texts.locale(), title, STYLE);
        if (cases.isEmpty()) {
            html.element("p", TEXTS.get("nothing.title"));
        }
        if (!across.isEmpty()) {
            html.element("h2", TEXTS.get("across.title"));
            list(html, across);
        }
        boolean several = cases.stream().map(LogCase::sourceName).distinct().count() > 1;
        cases.forEach(each -> article(html, VerdictText.word(each), several ? each.sourceName() + " · " : ""));
        listings.forEach(words -> article(html, words));
        return html.end();
    }

    /** @param source whose report it is; empty where all are of one log, which the title names */
    private static void article(Html html, VerdictWords verdict, String source) {
        html.raw("<article>").element("h2", verdict.headline());
        html.raw("<p>").element("span", "cause", verdict.badge());
        html.element("span", "muted", "(" + verdict.confidence() + ") · " + source + verdict.where())
                .raw("</p>");
        message(html, verdict);
        CardPicture.of(verdict.report()).ifPresent(card -> bar(html, card));
        if (!verdict.needed().isEmpty()) {
            html.element("p", verdict.needed());
        }
        html.element("p", verdict.reason().sentence());
        list(html, verdict.findings());
        verdict.report().listings().forEach(listing -> listing(html, ListingPicture.of(listing)));
        remedies(html, verdict.remedies());
        html.raw("</article>");
    }

    private static void article(Html html, ListingWords words) {
        html.raw("<article>");
        listing(html, words.picture());
        list(html, words.findings());
        remedies(html, words.next());
        html.raw("</article>");
    }

    private static void remedies(Html html, List<RemedyWords> remedies) {
        html.element("h3", TEXTS.get("remedies.title")).raw("<ol>");
        remedies.forEach(remedy -> remedy(html, remedy));
        html.raw("</ol>");
    }

    private static void message(Html html, VerdictWords verdict) {
        html.raw(MessagePieces.of(verdict.report()).stream()
                .map(VerdictHtml::piece)
                .collect(Collectors.joining("", "<pre>", "</pre>")));
    }

    private static String piece(MessagePieces.Piece piece) {
        String text = Html.escaped(piece.text());
        return piece.number()
                .map(n -> "<mark title=\"" + Html.escaped(meaning(n, Texts.locale())) + "\">" + text + "</mark>")
                .orElse(text);
    }

    private static String meaning(PrintedNumber number, Locale locale) {
        String value = number.bytes().isPresent()
                ? ByteText.exact(number.bytes().getAsLong())
                : TEXTS.get("quantity.impossible");
        return DiagnosisText.name(locale, number.quantity()) + ": " + value + ". "
                + DiagnosisText.explain(locale, number.quantity());
    }

    private static void bar(Html html, CardPicture card) {
        html.element("p", "muted", TEXTS.get("card.title", ByteText.of(card.totalBytes())));
        html.raw("<div class=\"bar\">");
        for (CardPicture.Piece piece : card.pieces()) {
            String style = piece.kind().style();
            String words = Html.escaped(TEXTS.get("piece." + style) + " " + ByteText.of(piece.bytes()));
            double share = 100.0 * piece.bytes() / card.totalBytes();
            html.raw(String.format(
                    Locale.ROOT,
                    "<span class=\"%s\" style=\"width:%.3f%%\" title=\"%s\">%s</span>",
                    style,
                    share,
                    words,
                    words));
        }
        html.raw("</div>");
    }

    private static void list(Html html, List<FindingWords> findings) {
        if (findings.isEmpty()) {
            return;
        }
        html.raw("<ul>");
        findings.forEach(f -> html.element("li", f.sentence()));
        html.raw("</ul>");
    }

    private static void listing(Html html, ListingPicture picture) {
        html.element("h3", picture.title()).raw("<table>");
        for (ListingPicture.Bar bar : picture.bars()) {
            html.raw("<tr><td>").element("span", bar.name()).raw("</td><td>").element("span", bar.size());
            html.raw(String.format(
                    Locale.ROOT,
                    "</td><td class=\"listing\"><span class=\"reserved\" style=\"width:%.2f%%\"></span></td></tr>",
                    100 * bar.share()));
        }
        html.raw("</table>");
    }

    private static void remedy(Html html, RemedyWords remedy) {
        html.raw("<li>").element("b", remedy.title()).element("span", remedy.why());
        remedy.terms().forEach(term -> html.raw("<br>").element("span", "muted", term));
        remedy.command().ifPresent(command -> html.element("pre", command));
        html.raw("</li>");
    }
}

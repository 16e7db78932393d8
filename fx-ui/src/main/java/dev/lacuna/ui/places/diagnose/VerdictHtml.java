package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.oom.model.PrintedNumber;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Locale;

/**
 * Verdicts as one page of HTML that needs nothing else: every report with its message, its numbers marked and explained,
 * the card to scale, findings and remedies. For whoever has no window.
 */
final class VerdictHtml {
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
            .muted { opacity: .7 } .cause { font-weight: 600 }
            """;

    private VerdictHtml() {}

    /** The page. */
    static String of(String title, List<Verdict> verdicts, List<Verdict.Finding> across) {
        StringBuilder out = new StringBuilder();
        Locale locale = Texts.locale();
        out.append("<!DOCTYPE html>\n<html lang=\"")
                .append(locale.toLanguageTag())
                .append("\">\n<head><meta charset=\"utf-8\">");
        out.append("<title>")
                .append(escape(title))
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style></head>\n<body>\n");
        out.append("<h1>").append(escape(title)).append("</h1>\n");
        if (!across.isEmpty()) {
            out.append("<h2>").append(escape(TEXTS.get("across.title"))).append("</h2>\n");
            list(out, across);
        }
        verdicts.forEach(verdict -> article(out, verdict, locale));
        return out.append("</body>\n</html>\n").toString();
    }

    private static void article(StringBuilder out, Verdict verdict, Locale locale) {
        out.append("<article>\n<h2>").append(escape(verdict.headline())).append("</h2>\n<p><span class=\"cause\">");
        out.append(escape(verdict.badge()))
                .append("</span> <span class=\"muted\">(")
                .append(escape(verdict.confidence()));
        out.append(") · ").append(escape(verdict.where())).append("</span></p>\n");
        message(out, verdict, locale);
        CardPicture.of(verdict.report()).ifPresent(card -> bar(out, card));
        if (!verdict.needed().isEmpty()) {
            out.append("<p>").append(escape(verdict.needed())).append("</p>\n");
        }
        out.append("<p>").append(escape(verdict.reason().sentence())).append("</p>\n");
        list(out, verdict.findings());
        out.append("<h3>").append(escape(TEXTS.get("remedies.title"))).append("</h3>\n<ol>\n");
        verdict.remedies().forEach(remedy -> remedy(out, remedy));
        out.append("</ol>\n</article>\n");
    }

    private static void message(StringBuilder out, Verdict verdict, Locale locale) {
        out.append("<pre>");
        for (MessagePieces.Piece piece : MessagePieces.of(verdict.report())) {
            String text = escape(piece.text());
            out.append(piece.number()
                    .map(n -> "<mark title=\"" + escape(meaning(n, locale)) + "\">" + text + "</mark>")
                    .orElse(text));
        }
        out.append("</pre>\n");
    }

    private static String meaning(PrintedNumber number, Locale locale) {
        String value = number.bytes().isPresent()
                ? ByteText.exact(number.bytes().getAsLong())
                : TEXTS.get("quantity.impossible");
        return DiagnosisText.name(locale, number.quantity()) + ": " + value + ". "
                + DiagnosisText.explain(locale, number.quantity());
    }

    private static void bar(StringBuilder out, CardPicture card) {
        out.append("<p class=\"muted\">").append(escape(TEXTS.get("card.title", ByteText.of(card.totalBytes()))));
        out.append("</p>\n<div class=\"bar\">");
        for (CardPicture.Piece piece : card.pieces()) {
            String style = MemoryBar.styleOf(piece.kind());
            String words = TEXTS.get("piece." + style) + " " + ByteText.of(piece.bytes());
            double share = 100.0 * piece.bytes() / card.totalBytes();
            out.append(String.format(
                    Locale.ROOT,
                    "<span class=\"%s\" style=\"width:%.3f%%\" title=\"%s\">%s</span>",
                    style,
                    share,
                    escape(words),
                    escape(words)));
        }
        out.append("</div>\n");
    }

    private static void list(StringBuilder out, List<Verdict.Finding> findings) {
        if (findings.isEmpty()) {
            return;
        }
        out.append("<ul>\n");
        findings.forEach(f -> out.append("<li>").append(escape(f.sentence())).append("</li>\n"));
        out.append("</ul>\n");
    }

    private static void remedy(StringBuilder out, Verdict.Remedy remedy) {
        out.append("<li><b>").append(escape(remedy.title())).append("</b> ").append(escape(remedy.why()));
        remedy.terms()
                .forEach(term -> out.append("<br><span class=\"muted\">")
                        .append(escape(term))
                        .append("</span>"));
        remedy.command().ifPresent(c -> out.append("<pre>").append(escape(c)).append("</pre>"));
        out.append("</li>\n");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}

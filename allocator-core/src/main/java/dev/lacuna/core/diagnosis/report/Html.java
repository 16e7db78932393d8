package dev.lacuna.core.diagnosis.report;

import dev.lacuna.core.diagnosis.report.Table.Cell;
import java.util.List;
import java.util.Locale;

/** One page of HTML that needs nothing else, written piece by piece; every text is escaped. */
public final class Html {
    private final StringBuilder out = new StringBuilder();

    private Html() {}

    /**
     * A page that has begun: no script runs in it, and nothing is asked of the network.
     *
     * @param title stands in the window's title and above the text
     * @param style rules of CSS
     */
    public static Html page(Locale locale, String title, String style) {
        return new Html()
                .raw("<!DOCTYPE html>")
                .raw("<html lang=\"" + locale.toLanguageTag() + "\"><head><meta charset=\"utf-8\">")
                .raw(
                        "<meta name=\"viewport\" content=\"width=device-width\"><meta name=\"referrer\" content=\"no-referrer\">")
                .raw(
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">")
                .element("title", title)
                .raw("<style>")
                .raw(style)
                .raw("</style></head><body>")
                .element("h1", title);
    }

    /** The whole page. */
    public String end() {
        return raw("</body></html>").out.toString();
    }

    /** Text as it may stand between tags and in attributes. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** Markup that is known to be whole. */
    public Html raw(String markup) {
        out.append(markup).append('\n');
        return this;
    }

    /** A text in an element. */
    public Html element(String tag, String text) {
        return raw("<" + tag + ">" + escaped(text) + "</" + tag + ">");
    }

    /** A text in an element of a class. */
    public Html element(String tag, String styleClass, String text) {
        return raw("<" + tag + " class=\"" + styleClass + "\">" + escaped(text) + "</" + tag + ">");
    }

    /** A table. */
    public Html table(Table table) {
        out.append("<table><thead><tr>");
        for (Table.Column column : table.columns()) {
            cell("th", column, column.title());
        }
        out.append("</tr></thead><tbody>\n");
        for (List<Cell> row : table.rows()) {
            out.append("<tr>");
            for (int c = 0; c < row.size(); c++) {
                cell("td", table.columns().get(c), row.get(c).text());
            }
            out.append("</tr>\n");
        }
        return raw("</tbody></table>");
    }

    private void cell(String tag, Table.Column column, String text) {
        out.append('<').append(tag).append(column.figures() ? " class=\"n\">" : ">");
        out.append(escaped(text)).append("</").append(tag).append('>');
    }
}

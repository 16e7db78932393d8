package dev.lacuna.core.diagnosis.report;

import dev.lacuna.core.diagnosis.report.Table.Cell;
import java.util.List;

/** Writes HTML piece by piece; every text is escaped. */
final class Html {
    private final StringBuilder out = new StringBuilder();

    /** Text as it may stand between tags and in attributes. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** Markup that is known to be whole. */
    Html raw(String markup) {
        out.append(markup).append('\n');
        return this;
    }

    /** A text in an element. */
    Html element(String tag, String text) {
        return raw("<" + tag + ">" + escaped(text) + "</" + tag + ">");
    }

    /** A text in an element of a class. */
    Html element(String tag, String styleClass, String text) {
        return raw("<" + tag + " class=\"" + styleClass + "\">" + escaped(text) + "</" + tag + ">");
    }

    /** A table. */
    Html table(Table table) {
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

    @Override
    public String toString() {
        return out.toString();
    }
}

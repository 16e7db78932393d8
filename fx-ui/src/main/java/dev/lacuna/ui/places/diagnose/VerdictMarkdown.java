package dev.lacuna.ui.places.diagnose;

import dev.lacuna.ui.text.Texts;
import java.util.List;

/** A verdict as Markdown, for a ticket or a chat: complete without the window. */
final class VerdictMarkdown {
    private static final Texts TEXTS = Texts.of("diagnose");

    private VerdictMarkdown() {}

    static String of(VerdictWords verdict, String source, List<FindingWords> across) {
        StringBuilder out = new StringBuilder();
        out.append("### ").append(verdict.headline()).append("\n\n");
        out.append("**")
                .append(verdict.badge())
                .append("** (")
                .append(verdict.confidence())
                .append(") · ");
        out.append(source).append(" · ").append(verdict.where()).append("\n\n");
        // A fence longer than any run of back-ticks that the log may hold.
        String fence = "`".repeat(Math.max(3, longestRun(verdict.report().text()) + 1));
        out.append(fence)
                .append('\n')
                .append(verdict.report().text().strip())
                .append('\n')
                .append(fence)
                .append("\n\n");
        appendFinding(out, verdict.reason());
        verdict.findings().forEach(finding -> appendFinding(out, finding));
        if (!verdict.needed().isEmpty()) {
            out.append("- ").append(verdict.needed()).append('\n');
        }
        across.forEach(finding -> appendFinding(out, finding));
        verdict.report().listings().forEach(listing -> appendListing(out, ListingPicture.of(listing)));
        out.append("\n**").append(TEXTS.get("remedies.title")).append("**\n\n");
        for (int i = 0; i < verdict.remedies().size(); i++) {
            RemedyWords remedy = verdict.remedies().get(i);
            out.append(i + 1)
                    .append(". **")
                    .append(remedy.title())
                    .append("** ")
                    .append(remedy.why())
                    .append('\n');
            remedy.terms().forEach(term -> out.append("   ").append(term).append('\n'));
            remedy.command()
                    .ifPresent(command -> out.append("   `").append(command).append("`\n"));
        }
        return out.toString();
    }

    private static void appendFinding(StringBuilder out, FindingWords finding) {
        out.append("- ").append(finding.sentence()).append('\n');
        for (FigureWords figure : finding.figures()) {
            out.append("  - ").append(figure.name()).append(": ").append(figure.text());
            out.append(" (").append(figure.exact()).append(")\n");
        }
    }

    private static void appendListing(StringBuilder out, ListingPicture picture) {
        out.append("- ").append(picture.title()).append('\n');
        picture.bars()
                .forEach(bar -> out.append("  - ")
                        .append(bar.size())
                        .append(": ")
                        .append(bar.name())
                        .append('\n'));
    }

    private static int longestRun(String text) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            run = text.charAt(i) == '`' ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }
}

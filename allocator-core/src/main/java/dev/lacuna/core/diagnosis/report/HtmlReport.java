package dev.lacuna.core.diagnosis.report;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.snapshot.Findings;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.attribution.LifetimeClasses;
import dev.lacuna.core.history.attribution.RecordedSteps;
import dev.lacuna.core.history.attribution.SizeHistogram;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.MemoryAtMoment;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.model.RecordingNotice;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.core.trace.snapshot.model.AllocatorSettings;
import java.util.List;
import java.util.Locale;

/**
 * What a recording tells, as one HTML file: inline style and SVG, no script, nothing from the network. The same for the window
 * and the command line.
 */
public final class HtmlReport {
    private static final String STYLE = """
            :root{--fg:#1f2328;--mu:#59636e;--bg:#fff;--ln:#d1d9e0;--re:#0969da;--al:#1a7f37;--fa:#cf222e;--wa:#bc4c00}
            @media(prefers-color-scheme:dark){:root{--fg:#e6edf3;--mu:#9198a1;--bg:#0d1117;--ln:#30363d;--re:#58a6ff;--al:#3fb950;--fa:#f85149;--wa:#f0883e}}
            body{font:14px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);max-width:1000px;margin:32px auto;padding:0 16px}
            h1{font-size:22px}h2{font-size:18px;margin-top:32px;border-bottom:1px solid var(--ln)}h3{font-size:15px;margin-bottom:4px}
            .mu{color:var(--mu)}table{border-collapse:collapse;margin:8px 0;width:100%}th,td{text-align:left;padding:3px 8px;border-bottom:1px solid var(--ln);overflow-wrap:anywhere}
            .n{text-align:right;white-space:nowrap}svg{width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--mu)}
            .reserved{fill:var(--re);fill-opacity:.35}.allocated{fill:var(--al);fill-opacity:.8}.grid{stroke:var(--ln)}.oom{stroke:var(--fa);stroke-width:2}
            .f{border-left:4px solid var(--re);padding:2px 12px;margin:12px 0}.f.failure{border-color:var(--fa)}.f.waste{border-color:var(--wa)}
            code{font-size:12px}footer{margin:40px 0;color:var(--mu)}
            """;

    private final ReportContents contents;
    private final ReportText texts;
    private final Redaction redaction;

    private HtmlReport(ReportContents contents) {
        this.contents = contents;
        this.texts = new ReportText(contents.locale());
        this.redaction = contents.redaction();
    }

    /** The whole document. Passes over the recording some times: not for the UI thread. */
    public static String of(ReportContents contents) {
        return new HtmlReport(contents).document();
    }

    private String document() {
        Recording recording = contents.recording();
        Html html = Html.page(texts.locale(), texts.get("title", source()), STYLE);
        html.table(facts(recording));
        if (recording.truncated()) {
            html.element("p", texts.get("truncated"));
        }
        for (RecordingNotice notice : recording.notices()) {
            html.element("p", "mu", notice(notice).text(texts.locale()));
        }
        recording.devices().stream().filter(d -> !d.isEmpty()).forEach(device -> device(html, device));
        return html.raw("<footer>")
                .element("p", texts.get("footer", contents.program()))
                .raw("</footer>")
                .end();
    }

    /** Why options could not be read is told in the file's own words; the other notices tell numbers. */
    private RecordingNotice notice(RecordingNotice notice) {
        return notice.kind() == RecordingNotice.Kind.SETTINGS
                ? new RecordingNotice(notice.kind(), notice.device(), redaction.name(notice.detail()))
                : notice;
    }

    private Table facts(Recording recording) {
        List<Table.Column> columns = List.of(
                new Table.Column("what", texts.get("fact"), false),
                new Table.Column("value", texts.get("value"), false));
        AllocatorSettings settings = recording.settings().orElse(AllocatorSettings.DEFAULT);
        String conf = settings.configuration().isEmpty()
                ? texts.get("settings.default")
                : redaction.options(settings.configuration());
        return new Table(
                columns,
                List.of(
                        fact("file", source()),
                        fact("format", recording.format()),
                        fact("settings", recording.settings().isPresent() ? conf : texts.get("settings.unknown")),
                        fact("expandable", settings.expandableSegments() ? texts.get("yes") : texts.get("no")),
                        fact("range", range()),
                        fact("truncated.fact", recording.truncated() ? texts.get("yes") : texts.get("no")),
                        fact("program", contents.program()),
                        fact("redacted", redaction.redacts() ? texts.get("redacted.yes") : texts.get("no"))));
    }

    private List<Table.Cell> fact(String key, String value) {
        return List.of(Table.Cell.of(texts.get(key)), Table.Cell.of(value));
    }

    private String range() {
        return contents.range()
                .map(r -> texts.get("range.part", r.from(), r.to()))
                .orElse(texts.get("range.all"));
    }

    /** The whole path stands in the file only where nothing is redacted. */
    private String source() {
        return redaction.file(contents.recording().source());
    }

    private void device(Html html, DeviceHistory device) {
        Timeline timeline = Timeline.of(device);
        int from = contents.range().map(r -> Math.min(r.from(), device.size())).orElse(0);
        int to = contents.range().map(r -> Math.min(r.to(), device.size())).orElse(device.size());
        int peak = timeline.reader().peak(from, to + 1);
        html.element("h2", texts.get("device", device.device(), device.size()));
        if (!device.addressed()) {
            html.element("p", "mu", texts.get("replayed"));
        }
        html.raw(CurvePicture.svg(timeline, from, to, texts));
        html.table(figures(timeline, peak, to));
        html.element("h3", texts.get("findings"));
        List<Finding> findings =
                Findings.of(device, contents.recording().annotations(), redaction, contents.thresholds());
        if (findings.isEmpty()) {
            html.element("p", "mu", texts.get("findings.none"));
        }
        findings.forEach(finding -> finding(html, finding));
        html.element("h3", texts.get("stacks", peak));
        html.table(ReportTables.stacks(device, StackBytes.at(device, peak), ReportTables.MOST_ROWS, texts, redaction));
        html.element("h3", texts.get("sizes", peak));
        LifetimeClasses lifetimes =
                LifetimeClasses.of(device, RecordedSteps.of(contents.recording().annotations(), device.device()));
        html.table(ReportTables.sizes(SizeHistogram.at(device, lifetimes, peak), texts));
    }

    private Table figures(Timeline timeline, int peak, int end) {
        List<Table.Column> columns = List.of(
                new Table.Column("what", texts.get("fact"), false),
                new Table.Column("at_peak", texts.get("at.peak", peak), true),
                new Table.Column("at_end", texts.get("at.end", end), true));
        MemoryAtMoment high = timeline.reader().at(peak);
        MemoryAtMoment last = timeline.reader().at(end);
        GapParts a = high.gap();
        GapParts b = last.gap();
        return new Table(
                columns,
                List.of(
                        figure("reserved", high.reserved(), last.reserved()),
                        figure("allocated", high.allocated(), last.allocated()),
                        figure("gap", a.totalBytes(), b.totalBytes()),
                        figure("releasable", a.releasableBytes(), b.releasableBytes()),
                        figure("split", a.splitBytes(), b.splitBytes()),
                        figure("pending", a.pendingBytes(), b.pendingBytes()),
                        figure("rounding", high.rounding(), last.rounding())));
    }

    private List<Table.Cell> figure(String key, long atPeak, long atEnd) {
        return List.of(Table.Cell.of(texts.get(key)), Table.Cell.bytes(atPeak), Table.Cell.bytes(atEnd));
    }

    private void finding(Html html, Finding finding) {
        Locale locale = texts.locale();
        html.raw("<div class=\"f " + finding.severity().name().toLowerCase(Locale.ROOT) + "\">");
        html.raw("<b>" + Html.escaped(DiagnosisText.render(locale, finding.summary())) + "</b> <span class=\"mu\">"
                + Html.escaped(texts.get("curve.event", finding.moment())) + " · "
                + Html.escaped(ByteSize.format(finding.bytes())) + "</span>");
        html.element("p", DiagnosisText.render(locale, finding.explanation()));
        html.raw("<ul>");
        for (Remedy remedy : finding.remedies()) {
            String command = remedy.command()
                    .map(c -> " <code>" + Html.escaped(c) + "</code>")
                    .orElse("");
            html.raw("<li><b>" + Html.escaped(DiagnosisText.render(locale, remedy.title())) + "</b>" + command + " "
                    + Html.escaped(DiagnosisText.render(locale, remedy.why())) + "</li>");
        }
        html.raw("</ul></div>");
    }
}

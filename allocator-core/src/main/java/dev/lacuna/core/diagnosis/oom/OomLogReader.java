package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.grammar.OomGrammars;
import dev.lacuna.core.diagnosis.oom.line.CleanLine;
import dev.lacuna.core.diagnosis.oom.line.HardWrap;
import dev.lacuna.core.diagnosis.oom.line.LineCleaner;
import dev.lacuna.core.diagnosis.oom.line.LogLine;
import dev.lacuna.core.diagnosis.oom.line.LogLines;
import dev.lacuna.core.diagnosis.oom.line.Paragraphs;
import dev.lacuna.core.diagnosis.oom.line.SrunLabels;
import dev.lacuna.core.diagnosis.oom.listing.MemoryListings;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import dev.lacuna.core.diagnosis.oom.model.OomLogException;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.PrintedAllocConf;
import dev.lacuna.core.diagnosis.oom.model.Setting;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/**
 * Finds the out-of-memory reports of a log, however long: memory stays bounded by the number of writers looked at side
 * by side and by {@link #MAX_REPORTS}, time is linear in the input.
 */
public final class OomLogReader {
    /** Different reports kept of one log. */
    public static final int MAX_REPORTS = 10_000;

    /** Lines after the last suspicious one that may still belong to a message. */
    private static final int LINES_AFTER = 12;

    /** Lines before the first suspicious one that a message may have begun on. */
    private static final int LINES_BEFORE = 2;

    /** Lines among which those are looked for, progress bars standing between; a traceback tells whose the message is. */
    private static final int LINES_REMEMBERED = 24;

    /** Characters of a passage, without white space, at which it is judged; and how many of them stay for what follows. */
    private static final int MAX_PASSAGE = 1 << 15;

    private static final int LONGEST_MESSAGE = 1 << 12;
    private static final int CONTEXT = 512;

    /** Writers whose passages are open at the same time; the oldest is judged early when there are more. */
    private static final int MAX_WRITERS = 64;

    private OomLogReader() {}

    /**
     * Reads a log of bytes. The caller closes the stream.
     *
     * @throws OomLogException when the stream fails or compressed data is damaged
     */
    public static OomLog read(InputStream in) throws OomLogException {
        try {
            return new Scan(new LogLines(LogText.open(in))).run();
        } catch (OomLogException e) {
            throw e;
        } catch (IOException e) {
            throw new OomLogException("the log could not be read to its end: " + e.getMessage(), e);
        }
    }

    /**
     * Reads a log of characters; offsets in the reports count from its first.
     *
     * @throws OomLogException when the reader fails
     */
    public static OomLog read(Reader in) throws OomLogException {
        return new Scan(new LogLines(in)).run();
    }

    /** Reads a pasted text. */
    public static OomLog read(String text) {
        try {
            return read(new StringReader(text));
        } catch (OomLogException e) {
            throw new UncheckedIOException("a string cannot fail to be read", e);
        }
    }

    /** One reading of one log. */
    private static final class Scan {
        private final LogLines lines;
        private final LineCleaner cleaner = new LineCleaner();
        private final RecentLines recent = new RecentLines();
        private final MemoryTrails trails = new MemoryTrails();
        private final MemoryListings listings = new MemoryListings();
        private final SurroundingsSearch surroundings = new SurroundingsSearch();
        private Optional<PrintedAllocConf> conf = Optional.empty();
        private final SrunLabels labels = new SrunLabels();
        private final HardWrap wrap = new HardWrap();
        private final Paragraphs paragraphs = new Paragraphs();
        private final ReportCollector reports = new ReportCollector(MAX_REPORTS);
        private final Set<Setting> settings = EnumSet.noneOf(Setting.class);
        private final Map<String, OpenPassage> open = new LinkedHashMap<>();
        private final Queue<LogLine> before = new ArrayDeque<>(LINES_REMEMBERED);
        /** First piece of the line being read, and the last cleaned line: later pieces have the same writer. */
        private LogLine head;

        private CleanLine last;

        Scan(LogLines lines) {
            this.lines = lines;
        }

        OomLog run() throws OomLogException {
            try {
                for (Optional<LogLine> line = lines.next(); line.isPresent(); line = lines.next()) {
                    take(line.get());
                }
            } catch (IOException e) {
                throw new OomLogException("the log could not be read to its end: " + e.getMessage(), e, end());
            }
            return end();
        }

        private OomLog end() {
            for (OpenPassage passage : open.values()) {
                judge(passage, passage.text.length());
            }
            List<OomReport> failures = listings.beside(reports.reports());
            return new OomLog(
                    failures,
                    reports.tables(),
                    settings,
                    conf,
                    trails.trails(),
                    surroundings.surroundings(),
                    lines.lines(),
                    failures.isEmpty() ? listings.alone() : List.of(),
                    reports.omitted());
        }

        private void take(LogLine line) {
            boolean suspicious = Suspicion.of(line.text());
            if (suspicious || !open.isEmpty() || surroundings.looksAt(line.number())) {
                surroundings.see(line.text());
            }
            if (!line.continued()) {
                head = line;
                recent.remember(line);
                LineCleaner.carried(line).forEach(text -> listings.see(text, line.number()));
                labels.see(line.text());
                wrap.see(line.text(), suspicious);
                paragraphs.see(line.text());
                SettingSearch.collect(line, settings);
                if (suspicious && line.text().contains("ALLOC_CONF")) {
                    conf = PrintedAllocConf.shownIn(line.text()).or(() -> conf);
                }
            }
            if (!suspicious && (open.isEmpty() || ProgressBar.is(line.text()))) {
                remember(line);
                return;
            }
            if (line.continued() && (last == null || last.number() != line.number())) {
                cleaner.clean(head, null, labels.labelled()).forEach(clean -> last = clean);
            }
            CleanLine before = last;
            for (CleanLine cleaned : cleaned(line, suspicious, before)) {
                boolean rest = wrap.continues() || paragraphs.continues();
                CleanLine piece = labels.labelled() ? cleaned.orPieceOf(before) : cleaned;
                CleanLine clean = rest ? piece.orRestOf(before) : piece;
                last = clean;
                if (suspicious) {
                    trails.see(clean);
                }
                OpenPassage passage = open.get(clean.writer());
                if (passage == null && suspicious) {
                    passage = begin(clean);
                }
                if (passage != null) {
                    extend(passage, clean, suspicious);
                }
            }
            remember(line);
        }

        /** The lines of text that a line carries; where a frame of JSON leaves nothing of what is looked for, the frame stays. */
        private List<CleanLine> cleaned(LogLine line, boolean suspicious, CleanLine before) {
            List<CleanLine> carried = cleaner.clean(line, before, labels.labelled());
            boolean framed = suspicious
                    && !line.continued()
                    && line.text().stripLeading().startsWith("{");
            boolean lost = framed
                    && carried.stream()
                            .noneMatch(text -> Suspicion.of(text.text().toString()));
            return lost ? cleaner.cleanWhole(line) : carried;
        }

        private void remember(LogLine line) {
            if (before.size() == LINES_REMEMBERED) {
                before.remove();
            }
            before.add(line);
        }

        /** The last lines before, progress bars left out. */
        private List<LogLine> linesBefore() {
            List<LogLine> lines = new ArrayList<>(before);
            lines.removeIf(line -> ProgressBar.is(line.text()));
            return lines.subList(Math.max(0, lines.size() - LINES_BEFORE), lines.size());
        }

        /** Opens a passage, with the lines of the same writer that stand just before. */
        private OpenPassage begin(CleanLine first) {
            if (open.size() >= MAX_WRITERS) {
                OpenPassage oldest = open.remove(open.keySet().iterator().next());
                judge(oldest, oldest.text.length());
            }
            before.forEach(line -> surroundings.see(line.text()));
            OpenPassage passage = new OpenPassage(new Passage(first.rank()));
            for (LogLine line : linesBefore()) {
                if (Suspicion.of(line.text())) {
                    continue; // It was judged in a passage of its own.
                }
                for (CleanLine clean : cleaner.clean(line, null, labels.labelled())) {
                    if (clean.writer().equals(first.writer()) || clean.number() == first.number()) {
                        passage.text.add(clean);
                    }
                }
            }
            passage.judgedTo = passage.text.length() == 0 ? -1 : startOffset(passage.text);
            open.put(first.writer(), passage);
            return passage;
        }

        private static long startOffset(Passage passage) {
            return passage.offset(0) - 1;
        }

        private void extend(OpenPassage passage, CleanLine line, boolean suspicious) {
            passage.text.add(line);
            passage.quietLines = suspicious ? 0 : passage.quietLines + 1;
            if (passage.quietLines >= LINES_AFTER) {
                judge(passage, passage.text.length());
                open.remove(line.writer());
            } else if (passage.text.length() > MAX_PASSAGE) {
                int done = passage.text.length() - LONGEST_MESSAGE;
                judge(passage, done);
                passage.text.dropFirst(done - CONTEXT);
            }
        }

        /** Collects the messages that begin before this index and were not collected yet. */
        private void judge(OpenPassage passage, int end) {
            Passage text = passage.text;
            if (text.length() == 0) {
                return;
            }
            SettingSearch.collect(text.lower(), settings);
            for (ReportDraft draft : OomGrammars.read(text)) {
                if (draft.start() < end && text.offset(draft.start()) > passage.judgedTo) {
                    OomReport report = draft.finish(text);
                    reports.add(report.in(recent.around(report.span())));
                    passage.judgedTo = text.offset(draft.end() - 1);
                }
            }
        }
    }

    /** A passage that may still grow. */
    private static final class OpenPassage {
        private final Passage text;
        private int quietLines;
        /** Offset in the input up to which messages were collected. */
        private long judgedTo = -1;

        OpenPassage(Passage text) {
            this.text = text;
        }
    }

    /** A progress bar that was redrawn between the lines of a message. */
    private static final class ProgressBar {
        private ProgressBar() {}

        static boolean is(String line) {
            int bar = line.indexOf('%');
            return bar >= 0
                    && line.startsWith("|", bar + 1)
                    && (line.contains("it/s") || line.contains("s/it") || line.contains("<"));
        }
    }
}

package dev.lacuna.core.diagnosis.report;

import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.history.Redaction;
import dev.lacuna.core.history.build.LoadRange;
import dev.lacuna.core.history.model.Recording;
import java.util.Locale;
import java.util.Optional;

/**
 * What a report is of.
 *
 * @param recording what is told
 * @param range the stretch of events that the curves show; empty for all
 * @param program name and version of the program that writes it
 * @param locale its language
 * @param redaction which names may leave
 * @param thresholds what counts as much
 */
public record ReportContents(
        Recording recording,
        Optional<LoadRange.Events> range,
        String program,
        Locale locale,
        Redaction redaction,
        Thresholds thresholds) {}

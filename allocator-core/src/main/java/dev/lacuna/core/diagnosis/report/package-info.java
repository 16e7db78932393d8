/**
 * What leaves the program: tables as CSV, text and Markdown, and a report as one HTML file that needs no script and no
 * network. {@link dev.lacuna.core.history.Redaction} decides which names may leave. Writes no files itself.
 */
package dev.lacuna.core.diagnosis.report;

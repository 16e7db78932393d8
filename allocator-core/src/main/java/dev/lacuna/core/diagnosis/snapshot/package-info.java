/**
 * What a recording tells about waste, each with numbers, a moment to look at, and what to do about it. One rule, one class;
 * {@link dev.lacuna.core.diagnosis.snapshot.Findings} is the entry. Rules know no window and no format; texts are in
 * bundles, as in {@link dev.lacuna.core.diagnosis}, whose remedies they share.
 */
package dev.lacuna.core.diagnosis.snapshot;

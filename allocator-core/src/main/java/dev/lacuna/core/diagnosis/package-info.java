/**
 * Rules, findings, remedies: one rule, one class, one finding. {@link dev.lacuna.core.diagnosis.Diagnoser} is the entry,
 * {@link dev.lacuna.core.diagnosis.Rules} the list.
 * Findings and remedies are data (message keys and typed arguments); {@link dev.lacuna.core.diagnosis.model.DiagnosisText}
 * puts them into a language at the edge, {@link dev.lacuna.core.diagnosis.DiagnosisJson} into the contract's JSON.
 */
package dev.lacuna.core.diagnosis;

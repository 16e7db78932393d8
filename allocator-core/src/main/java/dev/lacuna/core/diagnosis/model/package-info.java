/**
 * What a diagnosis says: causes, findings, remedies, as keys and numbers; and the evidence that rules are given.
 */
package dev.lacuna.core.diagnosis.model;

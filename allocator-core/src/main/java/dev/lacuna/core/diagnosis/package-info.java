/** Rules, findings, remedies: one rule, one class, one finding. */
package dev.lacuna.core.diagnosis;

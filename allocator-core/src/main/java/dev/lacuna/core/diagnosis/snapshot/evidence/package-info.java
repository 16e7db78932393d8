/** What rules over recordings are given, what they answer, and what several of them work out. */
package dev.lacuna.core.diagnosis.snapshot.evidence;

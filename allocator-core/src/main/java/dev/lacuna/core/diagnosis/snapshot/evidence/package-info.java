/** What rules over recordings are given, and what several of them work out. */
package dev.lacuna.core.diagnosis.snapshot.evidence;

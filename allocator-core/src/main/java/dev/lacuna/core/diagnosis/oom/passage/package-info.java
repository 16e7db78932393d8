/**
 * What grammars read with: a passage of lines, a cursor, the draft of a report; and what a grammar is.
 */
package dev.lacuna.core.diagnosis.oom.passage;

/** The registry of grammars, and the search for all their anchors in one pass. A family, a folder. */
package dev.lacuna.core.diagnosis.oom.grammar;

/** Numbers that can be opened: name, value, formula, source, parts. */
package dev.lacuna.core.estimate.term;

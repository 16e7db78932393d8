/** A chosen plan in the words of those who run it. One class a target. */
package dev.lacuna.core.planning.output;

/**
 * Which memory settings of a trainer exclude each other, or what Lacuna does, and what to do about it; said before
 * anything changes. It reads settings and changes none.
 */
package dev.lacuna.core.planning.swap.conflict;

/**
 * Models for OR-Tools' CP-SAT. The only classes that name OR-Tools; they are loaded together with its jars
 * ({@link dev.lacuna.app.ortools.OrTools}), so that all else works without.
 */
package dev.lacuna.app.ortools.cpsat;

/**
 * OR-Tools' solver beside Lacuna's own, where a person has put it: finds its jars in a folder and loads them when a search has
 * left a question open, never earlier. What speaks to its classes is in {@code cpsat}, which nothing else may name.
 */
package dev.lacuna.app.ortools;

/** One class a format of operator graphs. */
package dev.lacuna.core.planning.graph.reader;

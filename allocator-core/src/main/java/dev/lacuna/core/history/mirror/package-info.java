/** The blocks of a running process, kept up from its events alone, in bounded room. */
package dev.lacuna.core.history.mirror;

/** One class a format: how a file becomes a recording, and how a recording becomes a trace again. */
package dev.lacuna.core.history.open;

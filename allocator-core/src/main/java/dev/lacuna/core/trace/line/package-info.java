/** Lines of text traces: bounded, numbered, quoted in errors. For the formats that are made of lines. */
package dev.lacuna.core.trace.line;

/** Grammars of out-of-memory messages, one per framework family, and the report that they yield. */
package dev.lacuna.core.oom;

/** What everything speaks in: byte sizes, the language of sentences, how long a search may go on. */
package dev.lacuna.core.base;

/** What an agent tells event by event, in columns, and what it held before the first. */
package dev.lacuna.core.base.event;

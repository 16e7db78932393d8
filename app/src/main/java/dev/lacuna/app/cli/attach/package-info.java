/** The commands for processes that were not prepared: {@code attach}, {@code detach}, and what is asked of those that are attached. */
package dev.lacuna.app.cli.attach;

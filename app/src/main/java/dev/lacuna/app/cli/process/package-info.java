/**
 * The commands for running processes: {@code ps}, {@code watch}, {@code set}, {@code record}, {@code layers},
 * {@code demo}.
 */
package dev.lacuna.app.cli.process;

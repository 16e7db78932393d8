/**
 * The command line: one class per command, each turning options into a call of a room below and its result into text
 * or JSON. Exit statuses and JSON are a contract, written down in docs/cli.md.
 */
package dev.lacuna.app.cli;

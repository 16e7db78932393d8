/** What commands print: sentences, tables, JSON lines, exit statuses. */
package dev.lacuna.app.cli.output;

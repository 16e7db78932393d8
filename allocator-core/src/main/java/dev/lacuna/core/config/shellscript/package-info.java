/**
 * What a launch script passes to its program, worked out from the script's text alone: assignments, arrays, parameter expansion, arithmetic
 * and simple conditions. Nothing is ever run; what only a running shell could tell stays unknown, under the name that the script gives it.
 */
package dev.lacuna.core.config.shellscript;

/** One rule, one class: what a recording tells about waste. */
package dev.lacuna.core.diagnosis.snapshot.rule;

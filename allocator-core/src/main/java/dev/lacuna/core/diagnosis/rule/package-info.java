/**
 * One rule, one class: what an out-of-memory message means. The list and its order stand in {@link
 * dev.lacuna.core.diagnosis.Rules}.
 */
package dev.lacuna.core.diagnosis.rule;

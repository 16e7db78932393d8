/**
 * From a file or a command line to Megatron-LM's arguments, and from these to what is estimated. One class an
 * input format.
 */
package dev.lacuna.core.estimate.input;

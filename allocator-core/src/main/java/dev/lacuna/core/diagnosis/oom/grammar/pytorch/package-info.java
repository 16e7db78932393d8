/**
 * PyTorch's and torch_npu's messages, the native allocator's and the asynchronous one's, and those of Apple's
 * devices.
 */
package dev.lacuna.core.diagnosis.oom.grammar.pytorch;

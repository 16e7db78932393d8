/** One allocator model per class behind one small interface; none knows a file format or a report. */
package dev.lacuna.core.pool;

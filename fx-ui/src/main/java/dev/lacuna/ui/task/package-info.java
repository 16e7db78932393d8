/**
 * Work off the screen's thread: what is to be done, who runs it, and the way back. The only package of the window that
 * knows threads; its contract ({@link dev.lacuna.ui.task.BackgroundTask}, {@link dev.lacuna.ui.task.TaskExecutor},
 * {@link dev.lacuna.ui.task.UiScheduler}) knows no JavaFX, so that view models are tested on the current thread.
 */
package dev.lacuna.ui.task;

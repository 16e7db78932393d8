package dev.lacuna.ui.window;

import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.task.UiScheduler;
import dev.lacuna.ui.theme.ThemeModel;

/**
 * What every place of the window shares.
 *
 * @param session the attached process
 * @param settings what the operator chose
 * @param theme light or dark, now
 * @param executor for work off the UI thread
 * @param ui the way back
 * @param notices where to tell things in passing
 * @param overlay where to ask questions
 * @param navigator the way to other places
 */
public record WindowContext(
        Session session,
        UiSettings settings,
        ThemeModel theme,
        TaskExecutor executor,
        UiScheduler ui,
        NoticeBoard notices,
        Overlay overlay,
        Navigator navigator) {}

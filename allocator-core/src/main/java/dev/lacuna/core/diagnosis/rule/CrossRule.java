package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.CrossFinding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import java.util.List;

/** Finds something across the reports of one or several logs. Stateless. */
public interface CrossRule {
    /** What was found; empty when nothing. */
    List<CrossFinding> judge(List<JudgedLog> logs);
}

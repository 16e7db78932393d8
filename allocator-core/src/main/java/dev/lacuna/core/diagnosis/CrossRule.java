package dev.lacuna.core.diagnosis;

import java.util.List;

/** Finds something across the reports of one or several logs. Stateless. */
interface CrossRule {
    /** What was found; empty when nothing. */
    List<CrossFinding> judge(List<JudgedLog> logs);
}

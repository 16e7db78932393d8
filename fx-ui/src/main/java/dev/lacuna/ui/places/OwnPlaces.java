package dev.lacuna.ui.places;

import dev.lacuna.ui.places.diagnose.DiagnosePlace;
import dev.lacuna.ui.places.live.LivePlace;
import dev.lacuna.ui.places.planner.PlannerPlace;
import dev.lacuna.ui.places.processes.ProcessesPlace;
import dev.lacuna.ui.places.recording.RecordingPlace;
import dev.lacuna.ui.places.swap.SwapPlace;
import dev.lacuna.ui.places.whatif.WhatIfPlace;
import dev.lacuna.ui.window.Place;
import java.util.List;

/** The program's own places. Who builds a window must have each of them, and none says their order anew: the program and the tests walk this list. */
public record OwnPlaces(
        ProcessesPlace processes,
        LivePlace live,
        SwapPlace swap,
        DiagnosePlace diagnose,
        RecordingPlace snapshot,
        WhatIfPlace whatIf,
        PlannerPlace planner) {

    /** From the top of the rail. */
    public List<Place> inOrder() {
        return List.of(processes, live, swap, diagnose, snapshot, whatIf, planner);
    }
}

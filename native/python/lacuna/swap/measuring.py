"""A measurement that threads tell at the same time: forwards of one, backwards of others."""

import threading

from .faults import pass_on


class Measuring:
    """Stands for a `Measurement`: one caller at a time, and no fault of it reaches training."""

    def __init__(self, measurement, over):
        self._measurement, self._over = measurement, over
        self._lock = threading.RLock()  # tensors that are freed meanwhile tell too

    @property
    def warming(self):
        return self._measurement.warming

    def __getattr__(self, name):
        call = getattr(self._measurement, name)

        def alone(*arguments):
            try:
                with self._lock:
                    return call(*arguments)
            except Exception as broken:
                pass_on(broken)
                self._over(self, broken)
                return None

        return alone

"""Rules that choose for each saved tensor whether it stays, leaves or is computed again. One file and one line here each.

A rule has
- ``looking``: whether it only looks as yet, so that memory is made as without a rule: the oldest first;
- ``ran(seen)``: what one run did: {key: `Seen`}, some time after it;
- ``layer_over(offer)``: a layer's forward is over. Yields (candidate, "S" or "R"), each of which is done before the next is asked
  for; a candidate that could not leave is offered again without;
- ``step_over(rescued, spare, calm)``: bytes that had to be rescued, bytes that were never used, steps since the last rescue.
"""

from .capuchin import Capuchin
from .dtr import Dtr

RULES = {
    "dtr": Dtr,
    "capuchin": Capuchin,
}

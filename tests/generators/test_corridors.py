"""How often corridors may turn back."""

from __future__ import annotations

from cases import each_case
from exporter.generators._corridors import backtracking_draws


@each_case(
    ("prevent", "draws"),
    [
        (0, 100),  # a corridor may always turn back
        (1, 99),
        (49, 51),
        (50, 51),  # as the reference program: prevented if a draw is above 50
        (51, 49),
        (99, 1),
        (100, 0),
    ],
)
def test_so_many_of_a_hundred_draws_allow_backtracking(prevent: int, draws: int) -> None:
    assert backtracking_draws(prevent) == draws

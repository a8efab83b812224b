"""Small missions judged by rules of logic, which clingo evaluates: a third opinion."""

from __future__ import annotations

import pytest

from cases import each_case
from exporter.missions.proof import prove
from exporter.missions.states import MissionMap
from random_missions import SHAPES, judged, random_mission

clingo = pytest.importorskip("clingo")

# A state is a cell, the taken keys and the opened locks, both as sets of bits. `all_keys` and
# `all_locks` are these sets with everything in them.
RULES = """
taken(0..all_keys). opened(0..all_locks).
beside(C, (X+A, Y+B)) :- floor(C), C = (X, Y), (A, B) = (0, (1;-1)), floor((X+A, Y+B)).
beside(C, (X+A, Y+B)) :- floor(C), C = (X, Y), (A, B) = ((1;-1), 0), floor((X+A, Y+B)).
solid(L) :- lock(L, N, K), K != one_way.
closed(C, O) :- opened(O), part(L, C), solid(L), O & L = 0.
forbidden(C, D) :- lock(L, N, one_way), part(L, D), beside(C, D), not from(L, C), not part(L, C).
forbidden(C, D) :- lock(L, N, one_way), part(L, C), beside(C, D), from(L, D).
found(C, M) :- floor(C), M = #sum { K : key(K, C, N) }.
held(N, T, X) :- taken(T), lock(_, N, _), X = #count { K : key(K, _, N), T & K != 0 }.
used(N, O, X) :- opened(O), lock(_, N, _), X = #count { L : lock(L, N, _), O & L != 0 }.
opens(L, C, T, O) :- lock(L, N, key), near(L, C), held(N, T, X), X > 0, opened(O).
opens(L, C, T, O) :- lock(L, N, small_key), near(L, C), held(N, T, X), used(N, O, Y), X > Y.
opens(L, C, T, O) :- lock(L, N, shortcut), near(L, C), from(L, C), taken(T), opened(O).
near(L, C) :- part(L, D), beside(D, C).

state(C, M, 0) :- start(C), found(C, M).
move((C, T, O), (D, T ? M, O)) :-
    state(C, T, O), beside(C, D), not closed(D, O), not forbidden(C, D), found(D, M).
move((C, T, O), (C, T, O ? L)) :- state(C, T, O), opens(L, C, T, O), O & L = 0.
state(C, T, O) :- move(_, (C, T, O)).
wins((C, T, O)) :- state(C, T, O), goal(C).
wins(S) :- move(S, After), wins(After).
stranded(C, T, O) :- state(C, T, O), not wins((C, T, O)).
#show stranded/3.
"""


def stranded_by_logic(mission: MissionMap) -> int:
    """Return in how many states the goal is lost."""
    height, width = mission.walkable.shape
    facts = [
        f"floor(({x}, {y}))." for y in range(height) for x in range(width) if mission.walkable[y, x]
    ]
    facts += [f"start({mission.start}).", f"goal({mission.goal})."]
    for number, lock in enumerate(mission.locks):
        facts.append(f'lock({1 << number}, "{lock.name}", {lock.kind}).')
        facts += [f"part({1 << number}, {cell})." for cell in lock.cells]
        facts += [f"from({1 << number}, {cell})." for cell in lock.opened_from]
    facts += [
        f'key({1 << number}, {key.cell}, "{key.opens}").' for number, key in enumerate(mission.keys)
    ]
    control = clingo.Control(
        [
            f"-c all_keys={(1 << len(mission.keys)) - 1}",
            f"-c all_locks={(1 << len(mission.locks)) - 1}",
            "--warn=none",
        ]
    )
    control.add("base", [], RULES + "\n".join(facts))
    control.ground([("base", [])])
    answer = []
    control.solve(on_model=lambda model: answer.append(len(model.symbols(shown=True))))
    return answer[0]


@each_case("shape", list(SHAPES))
def test_logic_agrees_with_judge_and_proof(shape: str) -> None:
    for seed in range(20):
        mission = random_mission(shape, 500 + seed)
        stranded = stranded_by_logic(mission)
        assert stranded == judged(mission), seed
        assert (stranded > 0) == (prove(mission).play is not None), seed

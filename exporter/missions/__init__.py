"""Place locks and keys in a level, and prove the goal stays reachable.

A mission is a start, a goal, and locks with their keys in between. The proof checks every order in
which a player can take keys and open locks.

`parameters` defines the section `mission` of a spec. `gates` finds where a lock can close a map,
and `placing` draws the cells of locks, keys, start and goal in the steps `survey`, `tree`, `zones`
and `cells`; `demands` checks the result. `states` models the map for a player, `proof` checks all
orders of play, and `walks` finds the shortest complete walk. These three work on any level with a
mission, however it was made.
"""

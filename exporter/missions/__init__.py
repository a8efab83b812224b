"""Missions: locks and keys in a level, proven for every order of play.

`parameters` is what a spec says; `gates` finds where a lock can close a map; `placing` draws where
locks, keys, start and goal go (`survey`, `tree`, `zones` and `cells` are its steps, `demands`
judges the result); `states` is the map as a player meets it, `proof` looks at every order of
play, and `walks` finds the shortest complete walk. These three take any level that has a mission,
wherever its parts come from.
"""

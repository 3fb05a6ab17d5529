"""Learning from a game of Hit & Blow, as values: a page or a terminal shows them, `wording.learning` has the sentences.

The end of a game     `report.report(known)` of a board alone, or `report.match_report(match, advisor)` of a match:
                      `Report.turns` with a grade each, `.curve`, `.lost`, `.luck`, `.lesson`
One lesson            `Report.lesson`: the costliest turn, and the best guess there
Practise              `puzzles.from_report(report)`, one's own mistakes first, or `puzzles.generated(rules, seed,
                      difficulty)`; then `puzzles.clues(puzzle)` and `puzzles.check(puzzle, guess)`
The number of a day   `play.number_of(day)`; `record` has what counts of a list of results
"""

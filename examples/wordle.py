"""Suggest a word, read its answer, and review a game of Wordle with a list of ten words.

guess crate: 10 candidates
candidates: brake crane crate drake trace
grape: 10 to 5 candidates, best crate
drake: 5 to 1 candidates, best crane
"""

from yomikiri.guessing import MARKS, Game, review, suggest

WORDS = ["brake", "crane", "crate", "drake", "flake", "grade", "grape", "grate", "spice", "trace"]

game = Game(WORDS, ["night", "lumpy"], answers=MARKS)
advice = suggest(game.start)
print(f"guess {advice.guess}: {advice.candidates} candidates")

position = game.start.after("grape:02202")
print("candidates:", *position.candidates)

for turn in review(position.after("drake:22222")):
    print(f"{turn.turn.guess}: {turn.before} to {turn.after} candidates, best {turn.best}")

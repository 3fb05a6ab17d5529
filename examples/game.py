"""Play a whole game: the assistant suggests guesses, and a secret gives the answers.

012 1H0B
345 0H1B
046 0H0B
752 1H0B
832 0H1B
713 3H0B
"""

from yomikiri.hitblow import Assistant, hint

secret, game = "713", Assistant()
while not game.solved:
    guess = game.advice.proposed.guess
    print(guess, hint(guess, secret))
    game = game.answer(hint(guess, secret))

"""Solve a board of weighted tic-tac-toe: the winner, the best move, and best play to the end.

Takahashi (the first player) wins with b1, by score
b1 a1 b2 b3 c2 a2 a3 c1 c3
"""

from yomikiri.tictactoe import Board, analyze

board = Board.parse("-2,0,-1/-1,-1,0/-1,-1,-2")
advice = analyze(board)
print(f"Takahashi (the first player) wins with {board.name(advice.best.move)}, by {advice.best.reason}")
print(*map(board.name, advice.line_of_play))

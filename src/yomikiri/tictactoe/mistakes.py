"""Common mistakes in solutions of the problem AtCoder ABC349 E (Weighted Tic-Tac-Toe), and boards that expose them.

Each mistake has a *model*: a solver with this mistake (see `flawed`). The boards were chosen with the models. Each
model, except the one about ties, gives a wrong answer to some of the boards. If two models give different answers to
any board at all, they also give different answers to at least one of the chosen boards.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from yomikiri.common.errors import N_
from yomikiri.common.lazy import NDArray, np
from yomikiri.tictactoe.batch import BOUND
from yomikiri.tictactoe.board import Board, cells_of, set_of
from yomikiri.tictactoe.flawed import (
    CENTRE,
    COLUMNS,
    CORNERS,
    DIAGONALS,
    EDGES,
    LINES,
    ROWS,
    GameTreeSolver,
    Model,
    Values,
    Weights,
    choose_best,
    greedy,
    has_line,
    line_winner,
    margin,
    total,
)
from yomikiri.tictactoe.position import Tie
from yomikiri.tictactoe.signs import follows_from_signs

_RIGHT = GameTreeSolver()
# A mistake explains a program only if a solver with the mistake gives at least this part of the program's answers.
_LEAST_AGREEMENT = 0.9


@dataclass(frozen=True)
class Mistake:
    """A common mistake, and a solver with this mistake.

    `text` describes the mistake and begins with a verb, such as "ignore lines". The message to the user consists of the
    words "Programs that" and this text. If the mistake is about one winning line, `text` contains the placeholder for
    this line, and `line` contains the names of its cells, such as `a1 b1 c1`. Otherwise `line` is empty.
    """

    text: str
    model: Model
    line: str = ""


_NO_MISTAKE = Mistake("", _RIGHT)


def _line_only_before_the_last_move(first: int, second: int) -> int:
    return 0 if (first | second).bit_count() == 9 else _RIGHT.line(first, second)


def _wrapped(sums: NDArray[np.int64]) -> NDArray[np.int64]:
    return sums.astype(np.int32).astype(np.int64)


def _in_32_bits(weights: Weights, first: int, second: int) -> NDArray[np.int64]:
    return _wrapped(margin(weights, first, second))


def _sums_in_32_bits(weights: Weights, first: int, second: int) -> NDArray[np.int64]:
    return _wrapped(total(weights, first)) - _wrapped(total(weights, second))


def _in_floats(weights: Weights, first: int, second: int) -> NDArray[np.float32]:
    floats = weights.astype(np.float32)
    return np.asarray(total(floats, first) - total(floats, second))


def _half_rounded(weights: Weights, first: int, _second: int) -> NDArray[np.int64]:
    # Divide the sum of all weights by 2 and round towards zero, as integer division in C++ and Java does.
    halves = np.trunc(weights.sum(axis=0) / 2).astype(np.int64)
    return np.where(total(weights, first) > halves, 1, -1)


def _sums_not_below_zero(weights: Weights, first: int, second: int) -> NDArray[np.int64]:
    return np.asarray(np.maximum(total(weights, first), 0) - np.maximum(total(weights, second), 0))


def _sizes_of_sums(weights: Weights, first: int, second: int) -> NDArray[np.int64]:
    return np.asarray(np.abs(total(weights, first)) - np.abs(total(weights, second)))


def _averages(weights: Weights, first: int, second: int) -> NDArray[np.int64]:
    return np.asarray(4 * total(weights, first) - 5 * total(weights, second))


def _opening(cells: int) -> Callable[[Weights, int, int, int], bool]:
    """Return a rule for a deliberately wrong solver: it opens a game only on `cells`, a bit mask of cells."""
    return lambda _weights, first, _second, cell: bool(first or cells >> cell & 1)


def _opening_on_the_heaviest(weights: Weights, first: int, _second: int, cell: int) -> bool | NDArray[np.bool_]:
    return bool(first) or np.asarray(weights.argmax(axis=0) == cell)


def _no_negative_cell(weights: Weights, first: int, second: int, cell: int) -> NDArray[np.bool_]:
    free = [other for other in range(9) if not (first | second) >> other & 1]
    return np.asarray((weights[cell] >= 0) | (weights[free] < 0).all(axis=0))


def _from_zero(values: list[Values], player: int) -> Values:
    return choose_best([np.zeros_like(values[0]), *values], player)


def _swapped(weights: Weights, tie: Tie | None) -> Values:
    return -_RIGHT(weights, tie)


def _constant(winner: int) -> Model:
    return lambda weights, _tie: np.full(weights.shape[1], winner, dtype=np.int8)


def _ties_to_the_other(weights: Weights, tie: Tie | None) -> Values:
    return _RIGHT(weights, {Tie.FIRST: Tie.SECOND, Tie.SECOND: Tie.FIRST}.get(tie or Tie.DRAW, Tie.SECOND))


_NAMES = tuple("abc"[cell % 3] + str(cell // 3 + 1) for cell in range(9))


def _without(line: int) -> GameTreeSolver:
    return GameTreeSolver(line=line_winner(tuple(other for other in LINES if other != line)))


_OVERLOOKED = tuple(
    Mistake(N_("overlook the line {line}"), _without(line), " ".join(_NAMES[cell] for cell in cells_of(line)))
    for line in LINES
)
MISTAKES = (
    # The solvers with the first three mistakes of this tuple agree with each other on every board.
    Mistake(N_("answer Takahashi for every board"), _constant(1)),
    Mistake(
        N_("leave the owner of a cell out of the memoization key"),
        GameTreeSolver(key=lambda first, second: first | second),
    ),
    Mistake(N_("see only Takahashi's lines"), GameTreeSolver(line=lambda first, _second: int(has_line(first)))),
    Mistake(N_("ignore lines"), GameTreeSolver(line=lambda _first, _second: 0)),
    Mistake(N_("overlook rows"), GameTreeSolver(line=line_winner(COLUMNS + DIAGONALS))),
    Mistake(N_("overlook columns"), GameTreeSolver(line=line_winner(ROWS + DIAGONALS))),
    Mistake(N_("overlook diagonals"), GameTreeSolver(line=line_winner(ROWS + COLUMNS))),
    *_OVERLOOKED,
    Mistake(N_("overlook a line that the ninth move completes"), GameTreeSolver(line=_line_only_before_the_last_move)),
    Mistake(N_("see only Aoki's lines"), GameTreeSolver(line=lambda _first, second: -int(has_line(second)))),
    Mistake(
        N_("give the win by a line to the other player"),
        GameTreeSolver(line=lambda first, second: _RIGHT.line(second, first)),
    ),
    Mistake(N_("let the sums decide after a line"), GameTreeSolver(line_decides=False)),
    Mistake(N_("overflow 32-bit integers in the margin"), GameTreeSolver(margin=_in_32_bits)),
    Mistake(N_("overflow 32-bit integers in each player's sum"), GameTreeSolver(margin=_sums_in_32_bits)),
    Mistake(N_("sum in 32-bit floating-point numbers"), GameTreeSolver(margin=_in_floats)),
    Mistake(N_("compare with half the total, rounded towards zero"), GameTreeSolver(margin=_half_rounded)),
    Mistake(N_("compare the sums without their signs"), GameTreeSolver(margin=_sizes_of_sums)),
    Mistake(N_("count a negative sum as zero"), GameTreeSolver(margin=_sums_not_below_zero)),
    Mistake(N_("compare the averages of the players' cells"), GameTreeSolver(margin=_averages)),
    Mistake(N_("start the maximum and the minimum at zero"), GameTreeSolver(choose=_from_zero)),
    Mistake(N_("never open on an edge"), GameTreeSolver(allowed=_opening(CORNERS | CENTRE))),
    Mistake(N_("never open in a corner"), GameTreeSolver(allowed=_opening(EDGES | CENTRE))),
    Mistake(N_("never open in the centre"), GameTreeSolver(allowed=_opening(EDGES | CORNERS))),
    Mistake(N_("open only in the centre"), GameTreeSolver(allowed=_opening(CENTRE))),
    Mistake(N_("open only in a corner"), GameTreeSolver(allowed=_opening(CORNERS))),
    Mistake(
        N_("try only one opening of each kind, a1, b1 and b2"), GameTreeSolver(allowed=_opening(set_of((0, 1, 4))))
    ),
    Mistake(N_("open only on the heaviest cell"), GameTreeSolver(allowed=_opening_on_the_heaviest)),
    Mistake(N_("never take a negative cell while another is free"), GameTreeSolver(allowed=_no_negative_cell)),
    Mistake(N_("stop after eight moves"), GameTreeSolver(plies=8)),
    Mistake(N_("always take the heaviest cell"), greedy(sees_lines=False)),
    Mistake(N_("take the heaviest cell unless a line can be completed or stopped"), greedy(sees_lines=True)),
    Mistake(N_("swap the two players"), _swapped),
    Mistake(N_("answer Aoki for every board"), _constant(-1)),
    Mistake(N_("give ties to the wrong player"), _ties_to_the_other),
)

BOARDS = (
    "-588285508,-495575234,-473629726/-436691316,-550962339,-276884853/-508109749,-110745625,-407600547",
    "-3,-2,-1/-3,-2,-1/-1,0,0",
    "-289548237,-172687172,-881611410/-701953670,-861029237,-760568729/-514791094,-304406094,-683471618",
    "387185467,-253343562,-928117094/901553177,814098175,-773288215/453658859,-180343020,-867505728",
    "-2,-3,-2/0,-1,0/-1,-1,1",
    "-584288621,-741557844,-132744310/-14757368,-526005245,179189000/-412596725,-699564241,-367684441",
    "-402686158,-78695540,-792844772/-582187713,141923085,-796766097/-851218011,-527457892,-84952343",
    "-1,-1,0/-1,0,0/0,-1,-1",
    "-7,1,9/-7,2,-2/-9,-1,-5",
    "790067599,-127484392,-231902529/520058977,748436025,655460501/-249440170,-68137459,-36126393",
    "-115732902,-493652522,-83416023/567080597,603602773,652604259/862889604,-518798730,-398058301",
    "0,-1,-1/-1,0,0/-1,-1,0",
    "400016455,-139934456,487479483/-326205478,395723864,-555615329/477796729,-45895945,-337423706",
    "-628476796,-575019272,-221278980/-926661811,-62498712,-968453960/-713633117,-132072631,-782175152",
    "-6,5,-5/7,8,6/8,5,-5",
    "1,-1,-1/0,0,0/-1,-2,-1",
    "-1,-1,2/-2,-1,-2/0,-2,-2",
    "-1,-1,0/-1,0,-1/1,-1,-1",
    "0,0,0/-1,0,-1/-1,-1,-1",
    "0,0,-1/-1,-1,-2/-2,-2,-2",
    "-1,0,-1/0,0,0/-1,0,0",
    "0,-1,-1/0,0,0/-1,-1,-1",
    "-412803768,86550477,-626297744/-650351111,-530557581,-312949819/-560157899,253093311,-354752115",
    "0,0,-1/0,0,0/-1,0,-1",
    "-669550503,-439647121,-348548225/-260046387,462839560,209870843/-782657037,-490846422,806756547",
    "-943637139,-575855067,-430927035/-697618792,-187878871,-543155125/192833601,-844120171,-782767832",
    "0,0,-1/0,0,-1/0,0,-1",
    "0,-1,-1/0,0,-1/0,-1,-1",
    "-1,-1,-1/0,0,0/0,0,0",
    "-1,-1,-1/0,0,0/-1,0,-1",
    "-477295110,-140713220,-392360831/-750841015,-158337428,-863165116/-426783180,175970738,-882353603",
    "0,0,0/0,1,0/0,0,0",
    "0,0,1/0,1,0/1,0,0",
    "231785003,-572672878,-190935121/-523622091,414000776,238560126/-21150218,-665869436,282965378",
    "-567764325,-557511863,-250480783/-722564769,374046558,32923747/-454944767,-703222618,-587204119",
    "355852686,-238553650,3312409/-882947168,98062082,-640538864/-780941160,-451304147,-165872433",
    "643000931,469189571,949011225/295044537,410273233,929134744/-956212025,-975950907,-106109108",
    "-397133738,-505738417,448904157/282147161,521640105,-989222684/98372837,-902540419,-922657723",
    "-862406763,-439524376,-845408005/-410596570,854975204,-455757952/-880503714,840215414,-736169999",
    "-784791990,-675159372,-987717583/353446943,750325147,138751511/275074158,806689238,449390153",
    "-1,-1,-1/-1,-1,-1/-1,0,0",
    "-1,0,-1/-1,-1,-1/-1,1,0",
    "-929281322,3868912,894557368/-549305111,348551108,-739465221/-514894558,170870809,-718895002",
    "-1,0,-1/0,0,0/0,0,-1",
    "0,0,-1/0,-1,-1/-1,-1,-2",
    "-1,-1,-1/-1,-1,-1/0,0,-1",
    "0,0,-1/-1,0,-1/0,0,0",
    "0,-1,-1/0,0,0/0,-1,0",
    "-417569991,-750127743,-508631703/-864216491,-325261213,-995472985/-448624273,-359171187,301817975",
)
"""Boards that expose common mistakes in programs, the most informative first.

A *model* is a solver with one of the mistakes. Each model, except the one about ties, gives a wrong answer to at least
four of the boards. In addition, each minimal set of winning first moves occurs at least twice. A full board without a
line *decides* a board if the winner changes when the other player is ahead on this full board. Each of the sixteen full
boards decides at least eight of the boards: for either player ahead on it, two boards with small weights and two with
large weights.
"""


class ModelAnswers:
    """The answers of models to boards under one rule for ties, computed once for each model and board.

    A *model* is a solver with one of the mistakes. Its answer to a board is the winner.
    """

    def __init__(self, tie: Tie | None) -> None:
        self._tie = tie
        self._known: dict[Mistake, dict[Board, int]] = {}

    def of(self, mistake: Mistake, boards: Sequence[Board]) -> Values:
        """Return the winners that the solver with this mistake names for `boards`: 1, -1, or 0 for a draw."""
        known = self._known.setdefault(mistake, {})
        if not all(board in known for board in boards):
            # Include all of `BOARDS`, because a model computes many boards in about the time of one.
            new = [board for board in dict.fromkeys([*boards, *map(Board.parse, BOARDS)]) if board not in known]
            known.update(zip(new, mistake.model(_weights(new), self._tie).tolist(), strict=True))
        return np.array([known[board] for board in boards], dtype=np.int8)


def suspects(
    answers: Mapping[Board, int], failing: Board, models: ModelAnswers, mistakes: Iterable[Mistake] = MISTAKES
) -> tuple[Mistake, ...]:
    """Return the mistakes that explain the wrong answer of a program to the board `failing`.

    `answers` contains the winner that the program named for each board: 1, -1, or 0 for a draw. A mistake explains the
    program if a solver with this mistake gives the same answer for `failing`, and agrees with at least nine tenths of
    all answers. Of these mistakes, returns only those whose solvers agree with the most answers.
    """
    boards = [board for board in answers if _is_modelled(board)]
    if failing not in boards:
        return ()
    given = np.array([answers[board] for board in boards], dtype=np.int8)
    agreements = [(mistake, models.of(mistake, boards) == given) for mistake in mistakes]
    at = boards.index(failing)
    scores = {mistake: int(agrees.sum()) for mistake, agrees in agreements if agrees[at]}
    most = max(scores.values(), default=0)
    return tuple(mistake for mistake, score in scores.items() if score == most >= _LEAST_AGREEMENT * len(boards))


def discriminating_board(mistakes: Sequence[Mistake], tested: Container[Board], models: ModelAnswers) -> Board | None:
    """Return a board that helps to find out which mistake a program makes, or None if no board helps.

    `mistakes` are the suspected mistakes. The board is one of `BOARDS`, and not in `tested`. If possible, solvers with
    these mistakes give different answers to the board. Otherwise a solver with one of the mistakes and a correct
    program give different answers.
    """
    boards = [board for board in map(Board.parse, BOARDS) if board not in tested]
    if not mistakes or not boards:
        return None
    answers = np.array([models.of(mistake, boards) for mistake in (_NO_MISTAKE, *mistakes)])
    # A board counts most if the solvers with the mistakes disagree on it, because it separates the mistakes.
    kinds = (answers[1:] != answers[1]).any(axis=0) * 2 + (answers != answers[0]).any(axis=0)
    best = int(kinds.argmax())
    return boards[best] if kinds[best] else None


def _is_modelled(board: Board) -> bool:
    return follows_from_signs(board) and max(map(abs, board.flat)) <= BOUND


def _weights(boards: Sequence[Board]) -> Weights:
    return np.array([board.flat for board in boards], dtype=np.int64).T

"""Check a certificate that no strategy for a list of codes finds all secrets with fewer guesses in total.

    python checker.py FILE SECRETS [GUESSES]     needs only Python and numpy

SECRETS and GUESSES are the lists of the game, one code on each line. A secret may have a comma and a weight after it.
docs/theory/certificates.md describes the format.

GAME. Each guess has an answer for each secret, and each secret has a weight, a positive whole number. The cost of a
strategy is the sum, over the secrets, of the number of guesses until the secret is found, times its weight. For a set S
of secrets, T(S) is the least cost, and W(S) is the sum of the weights. A guess splits S into cells, one per answer. If
the guess is in S, its winning cell contains only this secret, which is found. So T(S) is the minimum, over all guesses,
of W(S) + the sum of T over the cells except the winning one. Every secret may be guessed. If all secrets in S give the
same answer to a guess outside S, this guess divides nothing: it only adds W(S) to the cost. Such guesses are excluded.

ARGUMENT. `lemma(S, L)` returns only if T(S) >= L. To show this, it *refutes* every guess: the guess costs at least L,
because W(S) and lower bounds of T for its cells add up to L or more. The *cheap bound* of a cell follows from its size
and its weights by facts 2, 3 and 6, and fact 4 may raise it. Better bounds are in the file, and each of them is proven
in turn. Let n be the number of codes in S, and let r be the number of answers except the win. In facts 2 to 4, all
weights are 1. Fact 6 extends them to other weights.

1. SUBSETS. If A is a subset of B, T(A) <= T(B), because a strategy for B finds the codes of A in the same way.
2. IDEAL. A strategy finds at most r^(k-1) codes at guess k. So T(S) >= ideal(n), where ideal(n) is the least sum of n
   guess numbers among which each k occurs at most r^(k-1) times. In particular T(S) >= 2n - 1.
3. MOST. For a guess let p be the number of its cells, including the win, let w = 1 if the guess is in S and 0
   otherwise, and let K be the maximum of p + w over all guesses. A strategy finds w codes at its first guess, at most
   p - w at the second, and all others later. It costs at least w + 2(p - w) + 3(n - p) >= 3n - K. In a subset A of S,
   no guess has more cells, so T(A) >= 3|A| - K.
4. SEPARABLE. T(S) = 2n - 1 only if a guess in S gets n different answers from S.
5. EQUAL CELLS. Let two guesses split S into the same cells, counting the winning cell, if there is one. Together, the
   cells cost the same for both. A guess in S then costs less by the weight of the secret that it finds. So it is enough
   to refute one of the two guesses: the one that finds the secret with the greater weight.
6. WEIGHTS. Let v(1) >= v(2) >= ... be the weights in S, and for each t, let S(t) contain the codes whose weight is t or
   more. A code of weight v is in v of the sets S(1), S(2), ... So the cost of a strategy is the sum, over all t, of its
   cost for S(t) if all weights are 1. If every subset of k codes costs at least c(k) with weights of 1, T(S) is at
   least the sum of c(|S(t)|) over all t, which is the sum of v(i) (c(i) - c(i-1)) over all i. For the least weight m,
   S(1), ..., S(m) are equal to S. So if fact 4 raises c(n) by one, it raises the bound of T(S) by m.
   A guess as in fact 3 costs at least 3 W(S) - v(1) - (the sum of the p + w - 1 greatest weights). For compared with
   three guesses for each secret, a guess in S saves twice the weight of the secret that it finds, at most 2 v(1), and
   the second guess saves at most one weight in each of the other cells.
"""

import gzip
import lzma
import re
import sys
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from math import gcd
from typing import Any

import numpy as np

HEAD = re.compile(
    "certificate 2 (marks|hits-blows|hits|sum) ([0-9a-f]{64}) ([0-9a-f]{64}) ([0-9]{1,12})"
    "((?: [0-9]{1,8}:[0-9A-Za-z]{1,20}){0,100})( [0-9]{1,8})?"
)
ITEM = re.compile("([0-9A-Za-z]{1,20})=([0-9]{1,12})([+]?)")
# Limits of a certificate: depth of nested lemmas, and bytes of a line.
DEPTH, LONGEST = 100, 1 << 22
WIN = (1 << 16) - 1  # the winning answer; all other answers are smaller numbers


class NotAProof(Exception):
    """The error for a certificate that is not a proof, with the reason."""


def need(holds: object, why: str) -> None:
    """Raise `NotAProof` with the reason `why` if a condition does not hold."""
    if not holds:
        raise NotAProof(why)


def match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    """Return the match of a pattern with a whole text. Raises `NotAProof` if the text has another form."""
    need(found := pattern.fullmatch(text), f"{text[:60]!r}: expected {pattern.pattern}")
    assert found
    return found


def digest(codes: Mapping[str, int]) -> str:
    """Return the SHA-256 of codes with their weights, in hexadecimal.

    The hashed text has a line `CODE,WEIGHT` for each code, in ascending order of the codes.
    """
    return sha256("".join(f"{code},{codes[code]}\n" for code in sorted(codes)).encode()).hexdigest()


class ListGame:
    """The game of a certificate: the answers of all secrets to all guesses.

    - `codes`: all guesses in ascending order, including the secrets. A certificate gives a guess by its index in
      `codes`.
    - `own`: the secrets that fit the turns in `head`, the first line of the certificate, those with the greatest weight
      first. It contains their indices in `codes`.
    - `weights`: the weights of these secrets, in the same order.
    - `all`: the set of all secrets in `own`. A set of secrets is an ascending array of integers, and each integer i
      means the secret `codes[own[i]]`. So `all` is 0, 1, 2, ...

    `secrets` contains the weight of each secret. `memory` limits the size of the table of answers, in bytes. `tell` is
    called before each scan of all guesses, with the number of scans so far. Raises `NotAProof` for an invalid first
    line, and for a game that is too large.
    """

    def __init__(
        self,
        head: str,
        secrets: Mapping[str, int],
        guesses: Iterable[str],
        memory: float = 1 << 31,
        tell: Callable[[int], object] = abs,
    ) -> None:
        found = match(HEAD, head)
        need(secrets, "no secrets")
        need(min(secrets.values()) > 0 and sum(secrets.values()) < 1 << 40, "a weight that is too small or too large")
        self.codes = sorted({*secrets, *guesses})
        self.head, self.kind, self.total, self.turns, self.tell = head, found[1], int(found[4]), list[str](), tell
        need(found[2] == digest(secrets), "it is about another list of secrets")
        need(found[3] == digest(dict.fromkeys(self.codes, 0)), "it is about another list of guesses")
        self.places, size = len(self.codes[0]), len(self.codes)
        need(all(len(code) == self.places <= 10 for code in self.codes), "codes of different lengths, or too long ones")
        need(4 * len(secrets) * size <= memory, "the game is too large")
        self.lines, self.scans, self.lemmas, self.leaves = iter(""), 0, 0, 0
        symbols = {symbol: k for k, symbol in enumerate(sorted({*"".join(self.codes)}))}
        need(len(symbols) < 256, "too many symbols")
        self.columns = np.array([[symbols[symbol] for symbol in code] for code in self.codes], np.uint8).T.copy()
        own = (k for k in range(size) if self.codes[k] in secrets)
        self.own = np.array(sorted(own, key=lambda k: -secrets[self.codes[k]]))
        self.weights = np.array([secrets[self.codes[k]] for k in self.own])
        self.answers = np.array([self.answers_of(secret) for secret in self.own])
        for guess, _, text in (turn.partition(":") for turn in found[5].split()):
            need(int(guess) < size, "a turn with a guess that is not in the list")
            self.turns.append(f"{self.codes[int(guess)]}:{text}")
            fits = [self.label(value) == text for value in self.answers[:, int(guess)].tolist()]
            self.tell(self.scans)
            self.own, self.weights, self.answers = self.own[fits], self.weights[fits], self.answers[fits]
        need(len(self.own), "no secret fits the turns")
        self.first = int(found[6]) if found[6] else -1
        need(self.first < size, "a first guess that is not in the list")
        # Assign indices from 0 on to the answers that occur. The win comes last, because its value is the greatest.
        occurs = np.zeros(WIN + 1, bool)
        for row in self.answers:
            occurs[row] = True
        self.labels, self.r = [self.label(value) for value in np.flatnonzero(occurs).tolist()], int(occurs.sum()) - 1
        index = (np.cumsum(occurs) - 1).astype(np.uint8 if self.r < 256 else np.uint16)
        self.answers = np.array([index[row] for row in self.answers])
        levels = [min(max(1, self.r) ** k, len(self.own)) for k in range(len(self.own) if self.r < 2 else 20)]
        self.ideal = np.cumsum([0, *np.repeat(np.arange(len(levels)) + 1, levels)[: len(self.own)]])
        need(size * (self.r + 1) <= memory, "the game is too large")
        self.all = np.arange(len(self.own))
        self.above = self.reach(self.all)

    def answers_of(self, secret: int) -> Any:
        """Return the answer of a secret to each guess as a number: `WIN` for the guess that is the secret.

        `secret` is its index in `codes`. The blows are found for each symbol alone. Let c be the number of places of
        the secret that have the symbol and are not hits. Of the places of the guess that have the symbol and are not
        hits, the first c are blows, or all of them if there are fewer.

        The number depends on the kind of answers. For `marks`, it has a digit to the base 3 for each place, the first
        place being the highest: 2 for a hit, 1 for a blow, 0 for the others. For `hits-blows` it is 16 times the hits,
        plus the blows. For `hits` and `sum` it is the answer.
        """
        code, size = self.columns[:, secret], len(self.codes)
        hit = (self.columns == code[:, None]).view(np.uint8)
        hits, blows, marks = hit.sum(0, dtype=np.uint16), np.zeros(size, np.uint16), np.zeros(size, np.uint16)
        for symbol in np.unique(code):
            here = (self.columns == symbol).view(np.uint8)
            room = np.count_nonzero(code == symbol) - (here & hit).sum(0, dtype=np.uint8)
            for place in range(self.places):
                blow = here[place] & (1 - hit[place]) & (room > 0)
                room -= blow
                blows += blow
                marks += (2 * (here[place] & hit[place]) + blow).astype(np.uint16) * 3 ** (self.places - 1 - place)
        values = {"marks": marks, "hits-blows": 16 * hits + blows, "hits": hits, "sum": hits + blows}[self.kind]
        values[secret] = WIN
        return values

    def label(self, value: int) -> str:
        """Return the text of an answer, such as `20100` (marks), `1H2B` (hits and blows) or `3` (hits, or their sum).

        The text is `win` for the guess that is the secret.
        """
        if self.kind == "marks" and value != WIN:
            return "".join(str(value // 3**place % 3) for place in reversed(range(self.places)))
        return "win" if value == WIN else f"{value >> 4}H{value & 15}B" if self.kind == "hits-blows" else str(value)

    def reach(self, s: Any, guesses: Any = None) -> Any:
        """Return p + w for each guess at the candidate set `s`, as in fact 3 of the docstring of the module.

        p is the number of cells into which the guess divides the set, including the winning cell. w is 1 if the guess
        is in the set, otherwise 0. `guesses` contains the indices of the guesses to consider. If it is None, all
        guesses are considered.
        """
        self.scans += 1
        self.tell(self.scans)
        rows = self.answers[s] if guesses is None else self.answers[s[:, None], guesses]
        reach = np.ones(rows.shape[1], np.int64)
        if len(s) < 60:
            for i in range(1, len(s)):
                reach += ~(rows[:i] == rows[i]).any(0)
        else:
            occurs, begin = np.zeros(len(reach) * (self.r + 1), bool), np.arange(len(reach)) * (self.r + 1)
            for row in rows:
                occurs[begin + row] = True
            reach = occurs.reshape(-1, self.r + 1).sum(1)
        return reach + np.isin(np.arange(len(self.codes)) if guesses is None else guesses, self.own[s])

    def cheap(self, n: int, most: int) -> Any:
        """Return a lower bound of the cost of a cell with weights of 1, for each number of codes in it from 0 to n.

        The *cost* is T in the docstring of the module: the least total of guesses. The bounds follow from facts 2 and 3
        there: how many codes a strategy can find at each guess. They hold for every subset of a set, such as the cells
        of any guess at the set. `most` is K in fact 3 for this set: the maximum, over all guesses, of the number of
        cells, plus 1 if the guess is in the set.
        """
        return np.maximum(self.ideal[: n + 1], 3 * np.arange(n + 1) - most)

    def weight(self, s: Any) -> int:
        """Return the sum of the weights of a set of secrets."""
        return int(self.weights[s].sum())

    def cost(self, s: Any, cheap: Any) -> int:
        """Return the cheap bound of a set of secrets: a lower bound of its cost, by fact 6 of the module's docstring.

        The argument `cheap`, the result of the method of this name, contains a lower bound of the cost with weights of
        1 for each size of a set.
        """
        return int(self.weights[s] @ np.diff(cheap[: len(s) + 1]))

    def saved(self, s: Any) -> Any:
        """Return an array whose entry k is the most that a guess at the set `s` can save if `reach` is k for the guess.

        The guess costs at least three times the weight of the set, less this saving. By fact 6 in the docstring of the
        module, the saving is the greatest weight plus the sum of the k - 1 greatest weights.
        """
        return np.cumsum([0, self.weights[s[0]], *self.weights[s]])

    def cells(self, s: Any, guess: int) -> dict[int, Any]:
        """Return the cells into which a guess divides the candidate set `s`, without the winning cell.

        The result maps the index of each answer to its cell.
        """
        answers = self.answers[s, guess]
        return {answer: s[answers == answer] for answer in np.unique(answers).tolist() if answer < self.r}

    def reaches(self, total: int, cells: Iterable[Any], cheap: Any, least: int) -> bool:
        """Return True if a lower bound of the cost of a guess is `least` or more, after fact 4 has raised it.

        `total` is the lower bound without fact 4. `cells` are those cells of the guess whose *cheap bounds* are part of
        `total`: the bounds that follow from their sizes and weights. `cheap` contains, for each size of a cell, a lower
        bound of its cost with weights of 1. For fact 4, see the docstring of the module.
        """
        return total >= least or any((total := total + self.raised(cell, cheap)) >= least for cell in cells)

    def raised(self, cell: Any, cheap: Any) -> int:
        """Return by how much fact 4 in the docstring of the module raises the cheap bound of a cell.

        This is the least weight in the cell if the bound of n codes with weights of 1 is 2n - 1, and no code of the
        cell separates all others. Otherwise it is 0.
        """
        if len(cell) < 3 or cheap[len(cell)] >= 2 * len(cell):
            return 0
        answers = np.sort(self.answers[cell][:, self.own[cell]], 0)
        return int(self.weights[cell[-1]]) if (answers[1:] == answers[:-1]).any(0).all() else 0

    def unrefuted(self, s: Any, least: int, reach: Any) -> set[int]:
        """Return the guesses whose cheap bound for a candidate set is below `least`.

        The *cheap bound* of a guess is the weight of the set plus the cheap bounds of its cells, raised by fact 4 in
        the docstring of the module. If several guesses have equal cells, only one is returned (fact 5). `reach`
        contains, for each guess, the number of its cells, plus 1 if the guess is in the set: the result of the method
        `reach`.
        """
        n, r, best, cheap = len(s), self.r + 1, dict[bytes, tuple[int, int]](), self.cheap(len(s), int(reach.max()))
        weights, won, size = self.weights[s], np.zeros(len(self.codes), np.int64), np.arange(n + 1)
        won[self.own[s]], whole, levels = weights, self.weight(s), np.unique(weights)
        may_rise = (size >= 3) & (cheap < 2 * size)  # for each size n: True if the cheap bound is 2n - 1 (see fact 4)
        guesses = np.flatnonzero((reach > 1) & (self.saved(s)[reach] > 3 * whole - least))
        for part in np.array_split(guesses, 1 + (n + r) * len(guesses) // (1 << 21)):
            answers, bound, sizes = self.answers[s].take(part, 1), whole - won[part], np.zeros((1, r), np.int64)
            begin = r * np.arange(len(part))
            for level, rise in zip(levels[::-1], np.diff(levels, prepend=0)[::-1], strict=True):
                rows = answers[weights == level] + begin
                sizes = sizes + np.bincount(rows.ravel(), minlength=len(part) * r).reshape(-1, r)
                bound += rise * cheap[sizes].sum(1)  # `sizes` counts the codes of at least this weight (fact 6)
            rises = int(weights[0]) * may_rise[sizes].sum(1)
            for k in np.flatnonzero(bound < least).tolist():
                guess = int(part[k])
                if bound[k] + rises[k] < least or not self.reaches(
                    bound[k], self.cells(s, guess).values(), cheap, least
                ):
                    # For each secret, the first secret of its cell. Guesses with equal cells have equal arrays.
                    first = np.unique(answers[:, k], return_index=True, return_inverse=True)
                    cells, rank = first[1][first[2]].astype(np.int32).tobytes(), (-int(won[guess]), guess)
                    best[cells] = min(best.get(cells, rank), rank)  # one of the guesses with equal cells (fact 5)
        return {guess for _, guess in best.values()}

    def leaf(self, s: Any, least: int, above: Any) -> bool:
        """Return True if the cheap bound of every guess at a candidate set is `least` or more.

        `above` is the result of the method `reach` for a larger set, which contains this set. A guess divides this set
        into at most as many cells as the larger set, and a guess with few cells costs much (fact 3). So guesses with a
        small value in `above` need no scan.
        """
        saved, most = self.saved(s), 3 * self.weight(s) - least
        guesses = np.flatnonzero(saved[np.minimum(above, len(s) + 1)] > most)
        if not (saved[self.reach(s, guesses)] > most).any():
            return True
        return not self.unrefuted(s, least, self.reach(s))

    def first_guesses(self) -> set[int]:
        """Return the guesses at the first turn that the file has to contain.

        These are the guesses for which the lower bound that the checker computes by itself is below the claimed total.
        If the certificate is only about strategies that begin with a given guess, the result contains this guess alone.
        """
        return {self.first} if self.first >= 0 else self.unrefuted(self.all, self.total, self.above)

    def lemma(self, s: Any, least: int, depth: int) -> None:
        """Check the next lemma in the file: that the candidate set `s` costs at least `least`.

        `depth` is 1 for a lemma that follows the line of a first guess, 2 for a lemma inside that lemma, and so on.
        """
        need(depth < DEPTH, "lemmas are nested too deeply")
        reach = self.reach(s)
        self.proof(s, least, reach, self.unrefuted(s, least, reach), depth)
        self.lemmas += 1

    def proof(self, s: Any, least: int, reach: Any, needed: set[int], depth: int) -> None:
        """Check the lines that prove that the candidate set `s` costs at least `least`, up to the line ".".

        Each line is about one guess. It shows that the guess costs at least `least` at the set, by lower bounds of
        cells of the guess. After it come the lemmas that the line needs. A *lemma* is a proof of such a lower bound, in
        the same form. `needed` contains the guesses for which there must be a line. `reach` contains, for each guess,
        the number of its cells, plus 1 if the guess is in the set: the result of the method `reach`. `depth` is 0 for
        the claim of the certificate, 1 for the lemmas of its lines, 2 for the lemmas of those, and so on. Raises
        `NotAProof` if a line is wrong or missing.
        """
        met = set[int]()
        while (line := next(self.lines, "")) != ".":
            guess = self.guess(line, s, least, reach, depth)
            need(guess not in met, f"guess {guess} appears twice")
            met.add(guess)
        need(needed <= met, "a guess is missing")

    def guess(self, line: str, s: Any, least: int, reach: Any, depth: int = 0) -> int:
        """Check the line of a guess at the candidate set `s`, and the lemmas after the line.

        Returns the index of the guess. Raises `NotAProof` unless the lines show that the guess costs at least `least`.
        A *lemma* proves a lower bound of the cost of one cell. `reach` contains, for each guess, the number of its
        cells, plus 1 if the guess is in the set: the result of the method `reach`. `depth` is the number of lemmas in
        which the line is nested.
        """
        self.tell(self.scans)
        name, *items = line.split(" ")
        need(re.fullmatch("[0-9]{1,8}", name) and int(name) < len(self.codes), f"{line[:60]!r}: expected a guess")
        left, lemmas, total = self.cells(s, int(name)), list[tuple[Any, int]](), self.weight(s)
        for found in (match(ITEM, item) for item in items):
            need(found[1] in self.labels, f"{found[0]}: no such answer")
            cell, bound = left.pop(self.labels.index(found[1]), s), int(found[2])
            need(len(cell) < len(s), f"{found[0]}: no such cell")
            total += bound
            if found[3]:
                lemmas.append((cell, bound))
            else:
                self.leaves += 1
                need(self.leaf(cell, bound, reach), f"{name} {found[0]}: one scan does not show it")
        cheap = self.cheap(len(s), int(reach.max()))
        total += sum(self.cost(cell, cheap) for cell in left.values())
        need(self.reaches(total, left.values(), cheap, least), f"guess {name}: its bounds are too small")
        for cell, bound in lemmas:
            self.lemma(cell, bound, depth + 1)
        return int(name)

    def first_guess(self, line: str) -> int:
        """Check a line about a guess at the first turn, and the proofs (lemmas) after it. Returns the guess's index.

        Together they show that the guess costs at least the claimed total.
        """
        return self.guess(line, self.all, self.total, self.above)

    def check(self, lines: Iterator[str]) -> None:
        """Check the lines of a certificate after its first line, which the constructor has read."""
        self.lines = lines
        self.proof(self.all, self.total, self.above, self.first_guesses(), 0)
        need(next(lines, None) is None, "lines after the end")


def open_file(name: str) -> Any:
    """Open the file of a certificate for reading bytes, whether it is plain or compressed by gzip or xz."""
    with open(name, "rb") as file:
        start = file.read(2)
    return (gzip.open if start == b"\x1f\x8b" else lzma.open if start == b"\xfd7" else open)(name, "rb")


def lines_of(file: Any) -> Iterator[str]:
    """Yield the lines of a certificate in an open binary file. Raises `NotAProof` if they cannot be read."""
    try:
        while line := file.readline(LONGEST):
            need(line.endswith(b"\n"), "a line is too long, or cut off")
            yield line[:-1].decode("ascii")
    except (EOFError, OSError, ValueError, MemoryError, zlib.error, lzma.LZMAError) as error:
        raise NotAProof(f"it cannot be read: {error}") from None


def codes_in(name: str) -> dict[str, int]:
    """Return the codes with their weights in a file with one code per line, each with an optional comma and weight.

    The default weight is 1. The weights are divided by their greatest common divisor, and codes of weight 0 are left
    out. Raises `NotAProof` if there are no codes, and a `ValueError` for a weight that is not a whole number.
    """
    with open(name, encoding="utf-8-sig") as file:
        folded = (unicodedata.normalize("NFKC", line).casefold().strip() for line in file)
        entries = {code.strip(): int(weight or "1") for code, _, weight in (x.partition(",") for x in folded if x)}
    divisor = gcd(*entries.values())
    need(divisor, f"{name}: no codes")
    return {code: weight // divisor for code, weight in entries.items() if weight}


def main() -> None:
    """Check the certificate named on the command line and print its claim."""
    try:
        lists = [codes_in(name) for name in sys.argv[2:4]]
        with open_file(sys.argv[1]) as file:
            lines = lines_of(file)
            game = ListGame(next(lines, ""), lists[0], lists[-1],
                            tell=lambda sets: sets % 5000 or print(f"{sets:,} sets ...", file=sys.stderr))  # fmt: skip
            game.check(lines)
    except (IndexError, OSError, ValueError) as error:
        print(f"no files to check: {error}", file=sys.stderr)
        sys.exit(2)
    except NotAProof as error:
        print(f"rejected: {error}")
        sys.exit(4)
    first = f"that begins with {game.codes[game.first]!r} " if game.first >= 0 else ""
    weighted = ", each counted with the weight of its secret" if game.weights.min() < game.weights.max() else ""
    print(f"accepted: answers {game.kind}, {len(game.codes):,} guesses, from {' '.join(game.turns) or 'the start'}:\n"
          f"no strategy {first}finds all {len(game.own):,} secrets "
          f"in fewer than {game.total:,} guesses altogether{weighted}\n"
          f"({game.lemmas:,} lemmas, {game.leaves:,} leaves)")  # fmt: skip


if __name__ == "__main__":
    main()

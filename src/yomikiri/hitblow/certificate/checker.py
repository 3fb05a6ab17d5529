"""Check a certificate that no strategy finds all secrets of a game with fewer guesses in total.

    python checker.py FILE      needs only Python and numpy; docs/theory/certificates.md describes the file format

GAME. The answer to a guess counts the symbols at the right place (hits) and the other common symbols (blows). For a set
S of secrets, T(S) is the least sum, over the secrets in S, of the number of guesses until each is found. A guess splits
S into cells, one per answer. The cell of the winning answer contains only the guess itself, if it is in S, and needs no
further guess. So T(S) is the minimum, over all guesses, of |S| + the sum of T over the other cells. A guess with all of
S in one cell, not the winning one, gives no information. It only adds |S| to the sum, and is excluded. Every secret may
be guessed.

WORDS. A *lemma* is a set S with a number L, and the claim T(S) >= L. A *scan* of S computes the answers of all secrets
in S to all guesses. The *cheap bound* of a guess is a lower bound of its cost. It follows from the scan and the cell
sizes alone, by facts 2 to 4 below, which give a cheap bound of T for each cell. A guess is *refuted* if its cheap bound
is at least L.

A lemma lists every guess that is not refuted, or one of several that facts 5 and 6 show to be equivalent. Each has
*items*. An item is a bound of T for one cell of the guess, above the cheap bound of this cell. It is a *leaf* if one
scan of the cell proves it. Otherwise another lemma proves it.

ARGUMENT. `lemma(S, L)` returns only if T(S) >= L: every guess costs at least L, by its cheap bound or by its items,
each of which is proven in turn. Let n = |S|.

1. SUBSETS. If A is a subset of B, T(A) <= T(B), because a strategy for B finds the codes of A in the same way.
2. IDEAL. With r answers other than the winning one, a strategy finds at most r^(k-1) codes at guess k. Let ideal(n) be
   the sum of the numbers of the guesses at which n codes are found, if every guess up to the last finds as many codes
   as possible. So T(S) >= ideal(n).
3. MOST. For a guess let p be the number of its cells, including the winning one, let w = 1 if the guess is in S and 0
   otherwise, and let K be the maximum of p + w over all guesses. A strategy finds w codes at its first guess, at most
   p - w at the second, and all others later. It costs at least w + 2(p - w) + 3(n - p) >= 3n - K. In a subset A of S
   no guess has more cells, so T(A) >= 3|A| - K.
4. SEPARABLE. At most one code is found at the first guess, so T(S) >= 2n - 1. If all others are found at the second
   guess, the first guess is a member of S that separates all members. So T(S) >= 2n unless some member gets n different
   answers from S. Also, a guess costs at least n + 2(n - w) - (p - w) = 3n - p - w.
5. EQUAL CELLS. Two guesses that split S into the same cells, counting the winning cell like any other, cost the same,
   except that a guess in S costs one less. One of them is enough, one in S if possible.
6. RENAMING. Permuting places and symbols changes no answer and maps guesses to guesses, so T stays the same. If the
   permutation maps S to itself, guesses in the same orbit cost the same, and one per orbit is enough. A reference names
   an earlier, completed lemma whose set, renamed, is a subset of the cell (by 1 and 6).
"""

import gzip
import lzma
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

HEAD = re.compile("certificate 1 ([1-6]) ([2-9]|1[0-6]) (none|guess|all) (-|[0-9a-f]{1,16}) ([0-9]{1,9})((?: [^ ]+)*)")
TURN, ITEM = re.compile("([0-9a-f]{1,6}):([0-6])H([0-6])B"), re.compile("([0-6])([0-6])=([0-9]{1,9})([+^]?)")
REFERENCE, RENAMING = re.compile("@([0-9]{1,9})/([^ ]+)"), re.compile("([0-5]{1,6})/([0-9a-f]{1,16})")
# Limits of a certificate: depth of nested lemmas, bytes of a line, and number of codes in the sets of all lemmas.
DEPTH, LONGEST, MOST = 100, 1 << 22, 1 << 27


class Rejected(Exception):
    """The error for a certificate that is not a proof, with the reason."""


def need(holds: object, why: str) -> None:
    """Raise `Rejected` with the reason `why` if a condition does not hold."""
    if not holds:
        raise Rejected(why)


def match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    """Return the match of a pattern with a whole text. Raises `Rejected` if the text does not match."""
    need(found := pattern.fullmatch(text), f"{text[:60]!r}: expected {pattern.pattern}")
    assert found
    return found


class CertificateGame:
    """The game of a certificate: its codes, the answers of all secrets to all guesses, and the lemmas proven so far.

    The table of answers has a row for each secret and a column for each guess. The secrets are the codes that fit the
    known turns and absent symbols in the first line of the certificate, `head`.

    `memory` limits the size of the tables, in bytes. `tell` is called before each scan of all guesses, with the number
    of scans so far. Raises `Rejected` for an invalid first line, and for a game that is too large.
    """

    def __init__(self, head: str, memory: float = 1 << 31, tell: Callable[[int], object] = abs) -> None:
        found = match(HEAD, head)
        p, q, self.repeats, self.absent, self.total = int(found[1]), int(found[2]), found[3], found[4], int(found[5])
        need((p <= q or self.repeats == "all") and 20 * p * q * q**p <= memory, "no such game, or too large a one")
        self.p, self.q, self.turns, self.tell = p, q, found[6].split(), tell
        self.lines, self.proven, self.kept, self.scans, self.lemmas, self.leaves = iter(""), list[Any](), 0, 0, 0, 0
        codes = np.indices((q,) * p, np.uint8).reshape(p, -1).T
        differ = (np.diff(np.sort(codes, 1).astype(int)) > 0).all(1)
        absent = [int(symbol, 16) for symbol in self.absent.strip("-")]
        need(all(symbol < q for symbol in absent), "an absent symbol that is not in the game")
        gone = np.isin(codes, absent).any(1)
        is_guess: Any = differ | (self.repeats != "none")
        is_secret: Any = (differ | (self.repeats == "all")) & ~gone
        # `codes` contains all guesses, one per row. `own` contains the row numbers of those that can be the secret.
        self.codes, self.own = codes[is_guess], np.flatnonzero(is_secret[is_guess])
        # index of each guess, by the value of its symbols read as a number to the base q; -1 if the code is no guess
        self.number = np.where(is_guess, np.cumsum(is_guess) - 1, -1)
        # number of occurrences of each symbol in each guess
        self.times = (self.codes[:, :, None] == np.arange(q)).sum(1, dtype=np.uint8)
        possible = [h * (p + 1) + b for h in range(p + 1) for b in range(p + 1 - h) if (h, b) != (p - 1, 1)]
        # index of each possible answer, at position (p + 1) * hits + blows for codes of p symbols; the win is the last
        self.answer_index, self.r = np.full(64, 255, np.uint8), len(possible)
        self.answer_index[possible] = np.arange(self.r)
        for guess, index in map(self.turn, self.turns):
            self.own = self.own[self.answers(self.own, [guess])[:, 0] == index]
        n, size = len(self.own), len(self.codes)
        need(n and 9 * n * size <= memory, "no secret fits the start, or the game is too large")
        self.row = np.full(size, -1)
        self.row[self.own] = np.arange(n)
        self.hints, self.bits = np.empty((n, size), np.uint8), np.empty((n, size), f"u{2 if self.r <= 16 else 4}")
        for i in range(0, n, 64):
            self.hints[i : i + 64] = self.answers(self.own[i : i + 64], slice(None))
            self.bits[i : i + 64] = self.bits.dtype.type(1) << self.hints[i : i + 64]
        levels = [min((self.r - 1) ** k, n) for k in range(20)]
        self.ideal = np.cumsum([0, *np.repeat(np.arange(len(levels)) + 1, levels)[:n]])

    def answers(self, secrets: Any, guesses: Any) -> Any:
        """Return the index of each secret's answer to each guess: shape (secrets, guesses).

        Secrets and guesses are indices in the list of all guesses.
        """
        mine, theirs = self.codes[secrets].T[:, :, None], self.codes[guesses].T
        hits = sum((mine[i] == theirs[i]).view(np.uint8) for i in range(self.p))
        mine, theirs = self.times[secrets].T[:, :, None], self.times[guesses].T
        return self.answer_index[self.p * hits + sum(np.minimum(mine[k], theirs[k]) for k in range(self.q))]

    def turn(self, text: str) -> tuple[int, int]:
        """Parse a turn such as `0123:1H2B`, and return the index of its guess and the index of its answer."""
        code, hits, blows = match(TURN, text).groups()
        need(len(code) == self.p and int(hits) + int(blows) <= self.p, f"{text!r} is not a turn")
        guess, index = self.number[int(code, self.q)], self.answer_index[int(hits) * (self.p + 1) + int(blows)]
        need(guess >= 0 and index < self.r, f"{text!r} is not a turn")
        return int(guess), int(index)

    def renamed(self, text: str, guesses: Any) -> Any:
        """Rename places and symbols of some guesses, and return the indices of the resulting guesses.

        `text` is the renaming, `PLACES/SYMBOLS`: the new position of each place and the new name of each symbol.
        `guesses` contains the indices of the guesses.
        """
        places, symbols = ([int(digit, 16) for digit in part] for part in match(RENAMING, text).groups())
        need((sorted(places), sorted(symbols)) == ([*range(self.p)], [*range(self.q)]), f"{text!r} is not a renaming")
        return self.number[np.array(symbols)[self.codes[guesses]] @ self.q ** (self.p - 1 - np.array(places))]

    def inseparable(self, sets: Any) -> Any:
        """Return one truth value for each set of secrets: False if the set is *separable*, otherwise True.

        A set is separable if some member, as a guess, gets a different answer from every member of the set. `sets`
        contains several sets of one size, one set per row: shape (sets, codes). Its elements are secrets, given
        by their row numbers in the table of answers.
        """
        occurring = np.bitwise_or.reduce(self.bits[sets[:, :, None], self.own[sets][:, None, :]], 1)
        return (np.bitwise_count(occurring) < sets.shape[1]).all(1)

    def open(self, s: Any, least: int, among: Any = np.True_) -> tuple[dict[int, int], Any, int]:
        """Return the guesses that one scan does not refute: those with a cheap bound below `least`.

        A *total* is a number of guesses added up over the secrets of a set or cell. The *cheap bound* of a guess is a
        lower bound on the total of strategies that begin with it, computed from the sizes of its cells. `s` is the set
        of secrets, as row numbers of the table of answers. `among` is True for each guess to consider.

        Returns three results:

        - A mapping of these guesses to their cheap bounds. If several guesses divide the set into the same cells,
          it contains only one of them.
        - An array with a lower bound on the total of a cell, indexed by the size of the cell. It is the larger one
          of two bounds: facts 2 and 3 in the docstring of the module. The first follows from the number of
          different answers, the second from the largest number of cells into which a guess divides the set.
        - A size `most`. For the sizes 1 to `most`, the bound in the array is only 2 * size - 1. This is the total
          of a cell in which one member separates all members. For a cell without such a member, the bound can be
          raised by 1.
        """
        self.scans += 1
        self.tell(self.scans)
        n, r, size = len(s), self.r, np.arange(len(s) + 1)
        # for each guess, a bit mask of the answers that the secrets in the candidate set give
        occur = np.bitwise_or.reduce(self.bits[s], 0)
        # for each guess, the number of cells into which it divides the candidate set, plus 1 if the guess is in the set
        reach = np.bitwise_count(occur) + (occur >> (r - 1))
        # for each size of a cell, a lower bound on the total number of guesses until each secret in the cell is found
        cheap = np.maximum(self.ideal[: n + 1], 3 * size - int(reach.max()))
        most, best = int(np.count_nonzero(cheap == 2 * size - 1)), dict[bytes, tuple[bool, int, int]]()
        # Keep only the guesses that can cost less than `least`. Any guess costs at least 3 * n - reach (fact 4 in the
        # docstring of the module).
        guesses = np.flatnonzero((reach > 3 * n - least) & among)
        for part in np.array_split(guesses, 1 + n * len(guesses) // (1 << 21)):
            answers = self.hints[s].take(part, 1)
            sizes = np.bincount((answers + r * np.arange(len(part))).ravel(), minlength=len(part) * r).reshape(-1, r)
            bound = n + cheap.take(sizes[:, :-1]).sum(1)
            kept = (bound < least) & (sizes[:, :-1] < n).all(1)
            part, answers, sizes, bound = part[kept], answers[:, kept], sizes[kept], bound[kept]
            if not len(part):
                continue
            order, begin, every = np.argsort(answers, 0, "stable"), np.cumsum(sizes, 1) - sizes, np.arange(len(part))
            for c in set(sizes[:, :-1].ravel().tolist()) & {*range(3, most + 1)}:
                which, cell = np.nonzero(sizes[:, :-1] == c)
                sets = s[order[begin[which, cell][:, None] + np.arange(c), which[:, None]]]
                # Add 1 to the bound for each cell of c secrets without a member that separates all members. This cell
                # costs at least 2 * c (fact 4 in the docstring of the module), but `cheap` contains only 2 * c - 1.
                bound += np.bincount(which, self.inseparable(sets), len(part)).astype(int)
            # `first[i, k]` is the index in the set of the first secret with the same answer to guess k as secret i.
            # Two guesses divide the set into the same cells if and only if their columns of `first` are equal.
            first = order[begin[every, answers], every].astype(np.int32)
            for k in np.flatnonzero(bound < least):
                own, cells = (not sizes[k, -1], int(part[k]), int(bound[k])), first[:, k].tobytes()
                # Keep one of the guesses with equal cells (fact 5 in the docstring of the module).
                best[cells] = min(best.get(cells, own), own)
        return {guess: bound for _, guess, bound in best.values()}, cheap, most

    def section(self, s: Any, least: int, depth: int) -> None:
        """Check the next section of the certificate: a lemma, all lemmas that its proof needs, and the line `end`.

        The first lemma of the section must prove that the candidate set `s` costs at least `least` guesses in total.
        `s` contains row numbers of the table of answers. `depth` is the number of lemmas whose proofs contain this
        section. The lemmas of each section are numbered from 0. A lemma can refer only to lemmas of its own section.
        """
        outer, self.proven = self.proven, []
        self.lemma(s, least, depth)
        need(next(self.lines, "") == "end", "a section without an end")
        self.proven = outer

    def lemma(self, s: Any, least: int, depth: int = 0) -> None:
        """Check the proof that a set of secrets costs at least `least`, on the next lines of the certificate.

        The proof is either a reference to an earlier lemma, or a new lemma with its own proof. `s` is the set, as row
        numbers of the table of answers. The *cost* is the total number of guesses until each secret in the set is
        found. `depth` is the number of lemmas whose proofs contain this one.
        """
        line = next(self.lines, "@")
        if found := REFERENCE.fullmatch(line):
            need(int(found[1]) < len(self.proven), "a reference to a lemma that is not read yet")
            other, bound = self.proven[int(found[1])]
            need(bound >= least, "a reference to a lemma whose bound is too small")
            need(np.isin(self.row[self.renamed(found[2], self.own[other])], s).all(), "a reference to another set")
            return
        need(line[:1] != "@" and depth < DEPTH, "a section ends too early, or is too deep")
        at, words, every = len(self.proven), line.split(" ") if line else [], np.arange(len(self.codes))
        # Store the bound -1 until this lemma is proven, so that no lemma in its own proof can refer to it.
        self.proven.append((s, -1))
        maps = [self.renamed(word[1:], every) for word in words[:64] if word[:1] == "*"]
        need(all(np.isin(self.row[f[self.own[s]]], s).all() for f in maps), "no symmetry of the set")
        orbit, before = every, every[:0]
        # Apply the symmetries of the candidate set until `orbit` contains, for each guess, the least guess to which
        # they map it.
        while maps and not np.array_equal(orbit, before):
            before = orbit
            for f in maps:
                orbit = np.minimum(orbit, orbit[f])
        left, cheap, most = self.open(s, least, orbit == every)
        have, missing, guess, seen = least, set(left), "", set[int]()
        for word in words[len(maps) :]:
            if "=" not in word:
                need(have >= least, f"lemma {at}: too little of {guess}")
                guess, code, seen = word, self.turn(f"{word}:0H0B")[0], {self.r - 1}
                have, answers = left.get(int(orbit[code]), least), self.hints[s, code]
                missing.discard(int(orbit[code]))
                continue
            item = match(ITEM, word)
            index, bound = self.turn(f"{guess}:{item[1]}H{item[2]}B")[1], int(item[3])
            cell = s[answers == index]
            need(0 < len(cell) < len(s) and index not in seen, f"lemma {at}: {guess} {word}: no such cell")
            seen.add(index)
            if item[4] == "+":
                self.lemma(cell, bound, depth + 1)
            elif item[4] == "^":
                self.section(cell, bound, depth + 1)
            else:
                self.leaves += 1
                need(not self.open(cell, bound)[0], f"lemma {at}: one scan does not show {guess} {word}")
            more = 3 <= len(cell) <= most and self.inseparable(cell[None])[0]
            have += max(0, bound - int(cheap[len(cell)]) - int(more))
        need(have >= least and not missing, f"lemma {at}: too little of {guess}, or a guess is missing")
        self.proven[at], self.kept, self.lemmas = (s.astype(np.int32), least), self.kept + len(s), self.lemmas + 1
        need(self.kept < MOST, "too many lemmas")


def open_file(name: str) -> Any:
    """Open the file of a certificate for reading bytes. The file may be plain, or compressed by gzip or xz."""
    with open(name, "rb") as file:
        start = file.read(2)
    return (gzip.open if start == b"\x1f\x8b" else lzma.open if start == b"\xfd7" else open)(name, "rb")


def check(file: Any, make: Callable[..., CertificateGame] = CertificateGame, **settings: Any) -> CertificateGame:
    """Check the certificate in an open binary file, and return the game that it is about.

    `make` creates the game from the first line of the file and the `settings`. Raises `Rejected` if the certificate
    does not prove its claim.
    """

    def lines() -> Iterator[str]:
        while line := file.readline(LONGEST):
            need(line.endswith(b"\n"), "a line is too long, or cut off")
            yield line[:-1].decode("ascii")

    try:
        read = lines()
        game = make(next(read, ""), **settings)
        game.lines = read
        game.lemma(np.arange(len(game.own)), game.total)
        need(next(read, None) is None, "lines after the end")
    except (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError) as error:
        raise Rejected(f"it cannot be read: {error}") from None
    return game


def main() -> None:
    """Check the certificate named on the command line and print its claim."""
    try:
        with open_file(sys.argv[1]) as file:
            game = check(file, tell=lambda sets: sets % 5000 or print(f"{sets:,} sets ...", file=sys.stderr))
    except (IndexError, OSError) as error:
        print(f"no file to check: {error}", file=sys.stderr)
        sys.exit(2)
    except Rejected as error:
        print(f"rejected: {error}")
        sys.exit(4)
    start = f"{' '.join(game.turns) or 'the start'}, absent symbols: {game.absent}"
    print(f"accepted: {game.p} places, {game.q} symbols, repeats {game.repeats}, from {start}:\n"
          f"no strategy finds all {len(game.own):,} secrets in fewer than {game.total:,} guesses altogether\n"
          f"({game.lemmas:,} lemmas, {game.leaves:,} leaves)")  # fmt: skip


if __name__ == "__main__":
    main()

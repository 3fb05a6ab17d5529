"""Run the searches, record the object of each hash, and stop at the first collision.

    python -m tests.hitblow.hash_collisions SEED SEARCHES

The kernels run as plain Python, on random small games. Four kinds of objects are hashed: partitions, sets of codes,
options (the effects of guesses in a race) and forms (classes of sets with the same size and options). The script checks
that each 64-bit half of a hash belongs to one object only. This is stricter than necessary, because the searches
compare both halves. If a search skips a guess because an earlier guess has the same partition, the script checks that
there is such a guess. The script prints how often each kind was checked.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from functools import cache
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from yomikiri.common.budget import Budget, Stopped
from yomikiri.guessing.kernels import table_recursion
from yomikiri.hitblow.model.codes import all_secrets, decode, decode_all
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.race.kernels import forms
from yomikiri.hitblow.race.public.race import PublicRace
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.kernels import guesses
from yomikiri.hitblow.search.kernels.symmetry import is_hashed_by_turns
from yomikiri.hitblow.search.subproblem import Count, Subproblem
from yomikiri.hitblow.search.symmetry.canonical import canonical_turns
from yomikiri.hitblow.search.weighted_codes import WeightedCodesSearch
from yomikiri.machine.kernel import Entry

GAMES = [
    Rules(2, "01234"),
    Rules(3, "0123"),
    Rules(3, "01234"),
    Rules(3, "012345"),
    Rules(4, "01234"),
    Rules(2, "0123", Repeats.ALL),
    Rules(3, "012", Repeats.GUESS),
]
LARGER = [Rules(4, "012345"), Rules(3, "01234567"), Rules(3, "01234", Repeats.ALL), Rules(3, "01234", Repeats.GUESS)]
hinted = cache(hint)


class HashedObjects:
    """The objects that were hashed in the current search."""

    def __init__(self) -> None:
        self.rules = GAMES[0]
        self.known: defaultdict[Hashable, dict[int, Hashable]] = defaultdict(dict)
        self.tried: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
        self.count: Counter[str] = Counter()
        self.wins: frozenset[Hashable] = frozenset()  # the answers that end the game

    def begin(self, rules: Rules) -> None:
        """Forget everything before another search, which has its own tables."""
        self.rules = rules
        self.known.clear()
        self.tried.clear()

    def record_hash(self, kind: str, hash_words: Iterable[Any], hashed: Hashable) -> None:
        """Record an object with its hash, and check that neither half of the hash belongs to another object."""
        self.count[kind] += 1
        for half, word in enumerate(hash_words):
            before = self.known[kind, half].setdefault(int(word), hashed)
            assert before == hashed, f"{kind}: {int(word):016x} stands for {before} and for {hashed}"

    def checked_partition(self, kind: str, set_key: Hashable, members: Any, answers: Any, new: bool) -> Hashable:
        """Return a set and its partition by a guess.

        `set_key` identifies the set in the search. If the search calls the partition a repetition (`new` is False), the
        function checks that an earlier guess at the set had the same partition.
        """
        cells = defaultdict(set)
        for member, answer in zip(members, answers, strict=True):
            cells[answer].add(member)
        parts = frozenset((frozenset(cell), answer in self.wins) for answer, cell in cells.items())
        assert new or parts in self.tried[set_key], f"{kind}: no earlier guess has this partition"
        self.tried[set_key].add(parts)
        self.count[f"{kind}, left out"] += not new
        return frozenset(members), parts


def wrap(module: ModuleType, name: str, note: Callable[..., None]) -> None:
    """Replace a kernel in a module so that `note` gets the caller's variables, the result and the arguments."""
    inner = getattr(module, name)

    def noted(*given: Any) -> Any:
        answer = inner(*given)
        note(sys._getframe(1).f_locals, answer, *given)
        return answer

    setattr(module, name, noted)


def watch(objects: HashedObjects) -> None:
    """Record the objects behind the hashes of all searches."""

    def code(game: Any, number: int) -> str:
        return decode(objects.rules, game.codes[number])

    def by_hints(at: dict[str, Any], new: bool, _seen: Any, node_id: Any, *name: Any) -> None:
        game, work, start, n = at["game"], at["work"], at["current"].start, at["current"].n
        members = work.members[start : start + n].tolist()
        answers = [hinted(code(game, at["guess"]), code(game, member)) for member in members]
        objects.wins = frozenset([objects.rules.win])
        objects.record_hash("node ids", [node_id], frozenset(members))
        objects.record_hash(
            "partitions", name, objects.checked_partition("partitions", int(node_id), members, answers, new)
        )

    def by_table(at: dict[str, Any], new: bool, _seen: Any, node_id: Any, *name: Any) -> None:
        table, work, current = at["table"], at["work"], at["current"]
        members = work.members[current.start : current.start + current.n]
        answers = table.answers.reshape(len(table.weight), -1)[members, at["guess"]].tolist()
        objects.wins = frozenset([table.answer_count - 1])
        parts = objects.checked_partition("partitions", int(node_id), members.tolist(), answers, new)
        objects.record_hash("node ids", [node_id], frozenset(members.tolist()))
        objects.record_hash("partitions", name, parts)

    def cell_of_engine(_at: Any, _none: None, game: Any, work: Any, depth: int, *given: int) -> None:
        _guess, answer, turns, _absent = given
        begin, n = work.start[depth, answer], work.size[depth, answer]
        kind, fact = "sets", frozenset[Any](work.members[begin : begin + n].tolist())
        if is_hashed_by_turns(game.digits, turns + 1) and n >= game.answer_count:
            made = zip(work.turn_guess[: turns + 1], work.turn_answer[: turns + 1], strict=True)
            texts = tuple(Turn(code(game, guess), hint_of(answer)) for guess, answer in made)
            kind, fact = "sets by their turns", frozenset(canonical_turns(Subproblem(objects.rules, turns=texts)).turns)
        objects.record_hash(kind, work.key[depth, :, answer], fact)

    def priced_set(_at: Any, _known: Any, problem: Any, current: Any) -> None:
        members = frozenset(problem.work.members[current.start : current.start + current.n].tolist())
        depth = min(current.depth, len(problem.table.step) - 1)
        objects.record_hash("sets by depth", [current.key, current.check], (depth, members))

    def set_of_race(_at: Any, name: Any, game: Any, work: Any, start: int, n: int) -> None:
        assert sorted(work.order) == list(range(game.digits))
        assert sorted(work.rank) == list(range(game.symbols))
        renamed = work.rank[game.codes[work.members[start : start + n]][:, work.order]]
        objects.record_hash("sets", name, frozenset(map(tuple, renamed.tolist())))

    def guess_of_race(_at: Any, new: bool, game: Any, work: Any, _depth: int, start: int, n: int, guess: int) -> None:
        members = work.members[start : start + n]
        answers = game.answers[guess, members].tolist()
        tells, objects.wins = len(set(answers)) > 1, frozenset([game.hints - 1])
        assert tells or not new
        if tells:
            objects.checked_partition("guesses of a race", members.tobytes(), members.tolist(), answers, new)
            objects.count["guesses of a race"] += 1

    def option_of_race(_at: Any, after: int, work: Any, _depth: int, _cells: int, first: int, end: int) -> None:
        fact = int(work.option_hit[end]), *sorted(work.form[_depth, :_cells].tolist())
        if after > end:
            objects.record_hash("options", work.option_name[end], fact)
        else:
            assert fact in [option(work, i) for i in range(first, end)], "an option was skipped without an equal one"

    def form_of_race(_at: Any, form: int, _tables: Any, work: Any, frame: Any, end: int, *_hash: Any) -> None:
        if form:
            kept = frozenset(option(work, i) for i in range(frame.first, end) if work.option_kept[i])
            objects.record_hash("forms", [form], (frame.n, kept))

    wrap(guesses, "is_new", by_hints)
    wrap(guesses, "hash_cell", cell_of_engine)
    wrap(table_recursion, "is_new", by_table)
    wrap(table_recursion, "known_bounds", priced_set)
    wrap(forms, "hash_set", set_of_race)
    wrap(forms, "is_new_partition", guess_of_race)
    wrap(forms, "push_option", option_of_race)
    wrap(forms, "enter_expanded", form_of_race)


def hint_of(answer: int) -> Hint:
    """Return the hint that the engine stores under this number."""
    common = next(common for common in range(6, -1, -1) if common * (common + 1) // 2 <= answer)
    hits = int(answer) - common * (common + 1) // 2
    return Hint(hits, common - hits)


def option(work: Any, i: int) -> tuple[int, ...]:
    """Return (1 if option i of the workspace can hit, otherwise 0; the sorted forms of its other cells)."""
    return int(work.option_hit[i]), *sorted(work.cell[work.option_begin[i] : work.option_begin[i + 1]].tolist())


def history(rules: Rules, chance: Random, most: int) -> tuple[Turn, ...]:
    """Return up to `most` random turns that agree with some secret."""
    codes = decode_all(rules, all_secrets(rules))
    secret = chance.choice(codes)
    made = [chance.choice(codes) for _ in range(chance.randint(0, most))]
    return tuple(Turn(guess, hint(guess, secret)) for guess in made if guess != secret)


def search(kind: str, rules: Rules, chance: Random) -> None:
    """Run a random search of that kind."""
    if kind == "engine":
        engine = SearchEngine(rules, "", consistent=chance.random() < 0.2, memory=1 << 20)
        for _ in range(3):
            count = chance.choice([Count.TOTAL, *Count])
            limit = chance.choice([None, *range(3, 8)]) if count is Count.TOTAL else chance.randint(3, 7)
            asked = Subproblem(rules, "", history(rules, chance, 1), engine.consistent, count, limit)
            with suppress(Stopped):
                engine.run(asked, Budget(states=engine.nodes + 60))
                engine.best_guesses(asked, engine.known(asked)[1], 3, Budget(states=engine.nodes + 60))
        return
    if kind == "race":
        race = PublicRace(rules, equal_turns=chance.random() < 0.5, from_nothing=True)
        every = all_secrets(rules)
        for _ in range(4):
            mine, theirs = (
                every[sorted(chance.sample(range(len(every)), chance.randint(3, min(24, len(every)))))] for _ in "12"
            )
            if chance.random() < 0.2:
                mine = Knowledge(rules, facts=history(rules, chance, 2)).candidates
            race.moves(mine, theirs)
        return
    codes = decode_all(rules, all_secrets(rules))
    prior = tuple((each, chance.randint(1, 30)) for each in codes if chance.random() < 0.8)
    known = Knowledge(rules, facts=history(rules, chance, 1), prior=prior)
    if known.count > 1 and kind == "weights":
        WeightedCodesSearch(known, Budget(states=150)).least()
    elif known.count > 1:
        worths = sorted((chance.randint(0, 9) for _ in range(chance.randint(1, 6))), reverse=True)
        uniform = Knowledge(rules, facts=known.facts) if chance.random() < 0.5 else known
        DepthWeightedSearch(uniform, worths, Budget(states=300)).best()


def main() -> None:
    Entry.uncompiled = True
    np.seterr(over="ignore")  # hashes are sums of words and wrap around
    seed, searches = map(int, sys.argv[1:])
    objects, chance = HashedObjects(), Random(seed)
    watch(objects)
    for _ in range(searches):
        for kind in ("engine", "race", "weights", "depths"):
            rules = chance.choice(LARGER if kind == "engine" else GAMES)
            objects.begin(rules)
            with suppress(Stopped):
                search(kind, rules, chance)
    print(*(f"{kind}: {count:,}" for kind, count in sorted(objects.count.items())), sep="\n")


if __name__ == "__main__":
    main()

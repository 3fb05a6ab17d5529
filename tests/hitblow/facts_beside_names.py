"""The searches with the facts kept beside every name they recognise something by, and compared.

    python -m tests.hitblow.facts_beside_names SEED SEARCHES

The kernels run as plain Python, and small games are searched at random. Wherever a partition, a set of codes, an option
or a form gets a name, each half of the name by itself stands for one thing alone, or the run ends. So 64 bits, which
is half of what the searches compare, must suffice everywhere. At the end it prints how often something was named, and
how many guesses were left out as divided alike before: each of them is looked for among those that were tried.
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
from yomikiri.hitblow.model.codes import all_secrets, decode, decode_all
from yomikiri.hitblow.model.knowledge import Knowledge
from yomikiri.hitblow.model.rules import Hint, Repeats, Rules, Turn, hint
from yomikiri.hitblow.race.depth_weighted import DepthWeightedSearch
from yomikiri.hitblow.race.kernels import forms
from yomikiri.hitblow.race.public.race import PublicRace
from yomikiri.hitblow.search.engine import SearchEngine
from yomikiri.hitblow.search.kernels import guesses, weighted_recursion
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


class Facts:
    """What was named in the search that is going on."""

    def __init__(self) -> None:
        self.rules = GAMES[0]
        self.known: defaultdict[Hashable, dict[int, Hashable]] = defaultdict(dict)
        self.tried: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
        self.count: Counter[str] = Counter()
        self.wins: frozenset[Hashable] = frozenset()  # the answers that say a code is hit

    def begin(self, rules: Rules) -> None:
        """Another search, with tables of its own."""
        self.rules = rules
        self.known.clear()
        self.tried.clear()

    def named(self, kind: str, name: Iterable[Any], fact: Hashable, within: int = 0) -> None:
        """Something got a name: each half stands for it alone, `within` a set if only there."""
        self.count[kind] += 1
        for half, word in enumerate(name):
            before = self.known[kind, half, within].setdefault(int(word), fact)
            assert before == fact, f"{kind}: {int(word):016x} stands for {before} and for {fact}"

    def divided(self, kind: str, which: Hashable, members: Any, answers: Any, new: bool) -> Hashable:
        """How a guess divides a set, by the answers of its members; the search took it for `new`, or for one that
        divides the set as an earlier guess did."""
        cells = defaultdict(set)
        for member, answer in zip(members, answers, strict=True):
            cells[answer].add(member)
        parts = frozenset((frozenset(cell), answer in self.wins) for answer, cell in cells.items())
        assert new or parts in self.tried[which], f"{kind}: a guess is taken for one that was not tried"
        self.tried[which].add(parts)
        self.count[f"{kind}, left out"] += not new
        return frozenset(members), parts


def wrap(module: ModuleType, name: str, note: Callable[..., None]) -> None:
    """Have a kernel that a module calls tell what the caller knows, what it answers, and what it was given."""
    inner = getattr(module, name)

    def told(*given: Any) -> Any:
        answer = inner(*given)
        note(sys._getframe(1).f_locals, answer, *given)
        return answer

    setattr(module, name, told)


def watch(facts: Facts) -> None:
    """Keep the facts beside the names of all searches."""

    def code(game: Any, number: int) -> str:
        return decode(facts.rules, game.codes[number])

    def by_hints(at: dict[str, Any], new: bool, _seen: Any, node_id: Any, *name: Any) -> None:
        game, work, start, n = at["game"], at["work"], at["current"].start, at["current"].n
        members = work.members[start : start + n].tolist()
        answers = [hinted(code(game, at["guess"]), code(game, member)) for member in members]
        facts.wins = frozenset([facts.rules.win])
        facts.named("node ids", [node_id], frozenset(members))
        facts.named("partitions", name, facts.divided("partitions", int(node_id), members, answers, new))

    def by_table(at: dict[str, Any], new: bool, _seen: Any, node_id: Any, *name: Any) -> None:
        table, work, current = at["position"].table, at["work"], at["current"]
        members = work.members[current.start : current.start + current.n]
        answers = table.answers[at["guess"], members].tolist()
        facts.wins = frozenset([table.answer_count - 1])
        parts = facts.divided("partitions", int(node_id), members.tolist(), answers, new)
        facts.named("node ids", [node_id], frozenset(members.tolist()))
        # Masks name cells by where codes stand in their set, and so they do it only there.
        within = int(node_id) if "mask" in at else 0
        facts.named("partitions", name, parts, within)

    def cell_of_engine(_at: Any, _none: None, game: Any, work: Any, depth: int, *given: int) -> None:
        _guess, answer, turns, _absent = given
        begin, n = work.start[depth, answer], work.size[depth, answer]
        kind, fact = "sets", frozenset[Any](work.members[begin : begin + n].tolist())
        if is_hashed_by_turns(game.digits, turns + 1) and n >= game.answer_count:
            made = zip(work.turn_guess[: turns + 1], work.turn_answer[: turns + 1], strict=True)
            texts = tuple(Turn(code(game, guess), hint_of(answer)) for guess, answer in made)
            kind, fact = "sets by their turns", frozenset(canonical_turns(Subproblem(facts.rules, turns=texts)).turns)
        facts.named(kind, work.key[depth, :, answer], fact)

    def priced_set(_at: Any, _known: Any, problem: Any, current: Any) -> None:
        position, work = problem.position, problem.work
        members = frozenset(work.members[current.start : current.start + current.n].tolist())
        facts.named("sets", [current.key, current.check], members)
        salt = position.salt[current.depth]
        facts.named("sets by depth", [current.key ^ salt], (int(salt) and current.depth, members))

    def set_of_race(_at: Any, name: Any, game: Any, room: Any, start: int, n: int) -> None:
        assert sorted(room.order) == list(range(game.digits))
        assert sorted(room.rank) == list(range(game.symbols))
        renamed = room.rank[game.codes[room.members[start : start + n]][:, room.order]]
        facts.named("sets", name, frozenset(map(tuple, renamed.tolist())))

    def guess_of_race(_at: Any, new: bool, game: Any, room: Any, _depth: int, start: int, n: int, guess: int) -> None:
        members = room.members[start : start + n]
        answers = game.answers[guess, members].tolist()
        tells, facts.wins = len(set(answers)) > 1, frozenset([game.hints - 1])
        assert tells or not new
        if tells:
            facts.divided("guesses of a race", members.tobytes(), members.tolist(), answers, new)
            facts.count["guesses of a race"] += 1

    def option_of_race(_at: Any, after: int, room: Any, _depth: int, _cells: int, first: int, end: int) -> None:
        fact = int(room.option_hit[end]), *sorted(room.form[_depth, :_cells].tolist())
        if after > end:
            facts.named("options", room.option_name[end], fact)
        else:
            assert fact in [option(room, i) for i in range(first, end)], "an option is taken for one that is not there"

    def form_of_race(_at: Any, form: int, _tables: Any, room: Any, n: int, first: int, end: int, *_name: Any) -> None:
        if form:
            kept = frozenset(option(room, i) for i in range(first, end) if room.option_kept[i])
            facts.named("forms", [form], (n, kept))

    wrap(guesses, "is_new", by_hints)
    wrap(guesses, "hash_cell", cell_of_engine)
    wrap(weighted_recursion, "is_new", by_table)
    wrap(weighted_recursion, "known", priced_set)
    wrap(forms, "name_of", set_of_race)
    wrap(forms, "tell_apart", guess_of_race)
    wrap(forms, "push_option", option_of_race)
    wrap(forms, "enter_whole", form_of_race)


def hint_of(answer: int) -> Hint:
    """The hint of a slot of the engine."""
    common = next(common for common in range(6, -1, -1) if common * (common + 1) // 2 <= answer)
    hits = int(answer) - common * (common + 1) // 2
    return Hint(hits, common - hits)


def option(room: Any, i: int) -> tuple[int, ...]:
    """Whether an option hits, and the forms of its other cells."""
    return int(room.option_hit[i]), *sorted(room.cell[room.option_begin[i] : room.option_begin[i + 1]].tolist())


def history(rules: Rules, chance: Random, most: int) -> tuple[Turn, ...]:
    """Up to so many turns that some secret answered."""
    codes = decode_all(rules, all_secrets(rules))
    secret = chance.choice(codes)
    made = [chance.choice(codes) for _ in range(chance.randint(0, most))]
    return tuple(Turn(guess, hint(guess, secret)) for guess in made if guess != secret)


def search(kind: str, rules: Rules, chance: Random) -> None:
    """One search at random."""
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
    np.seterr(over="ignore")  # names are sums of words and wrap around
    seed, searches = map(int, sys.argv[1:])
    np.seterr(over="ignore")  # names are sums of words and wrap around
    facts, chance = Facts(), Random(seed)
    watch(facts)
    for _ in range(searches):
        for kind in ("engine", "race", "weights", "depths"):
            rules = chance.choice(LARGER if kind == "engine" else GAMES)
            facts.begin(rules)
            with suppress(Stopped):
                search(kind, rules, chance)
    print(*(f"{kind}: {count:,}" for kind, count in sorted(facts.count.items())), sep="\n")


if __name__ == "__main__":
    main()

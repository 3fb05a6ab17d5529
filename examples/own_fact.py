"""A kind of fact of one's own: a class, and all that takes facts takes it.

32 candidates, such as 138; the next guess is 407
"""

from dataclasses import dataclass

from yomikiri.hitblow import Knowledge, NamedFact, suggest


@dataclass(frozen=True, slots=True)
class Sum(NamedFact):
    """The sum of all digits."""

    name = "sum"
    value = "{total}"
    numeric = True
    total: int

    def holds(self, code: str) -> bool:
        """Whether the digits add up to that."""
        return sum(map(int, code)) == self.total


known = Knowledge.parse("012:0H1B sum=12")
print(f"{known.count} candidates, such as {known.codes(1)[0]}; the next guess is {suggest(known).proposed.guess}")

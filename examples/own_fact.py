"""A custom kind of fact: a class that all functions with facts accept.

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
        """Return True if the digits add up to the total."""
        return sum(map(int, code)) == self.total


known = Knowledge.parse("012:0H1B sum=12")
print(f"{known.count} candidates, such as {known.codes(1)[0]}; the next guess is {suggest(known).proposed.guess}")

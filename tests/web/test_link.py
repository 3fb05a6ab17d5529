"""Links: paths of pages with ordered (name, value) parameters."""

from __future__ import annotations

import pytest

from yomikiri.common.errors import InputError
from yomikiri.web.link import Link, check_version, language_in


def test_address_keeps_the_order_of_pairs_and_drops_empty_values() -> None:
    link = Link.of("/hitblow", [("turns", "012:0H1B"), ("absent", ""), ("digits", "3")])
    assert str(link) == "/hitblow?turns=012:0H1B&digits=3"
    assert str(Link("/hitblow")) == "/hitblow"


def test_address_escapes_what_has_a_meaning_in_it() -> None:
    assert str(Link("/hitblow", (("name", "a&b=c d"),))) == "/hitblow?name=a%26b%3Dc+d"


def test_replaced_value_comes_last_and_an_empty_one_removes_its_pair() -> None:
    link = Link("/hitblow", (("no-leading", "0"), ("digits", "3")))
    assert link.but(no_leading="1").pairs == (("digits", "3"), ("no-leading", "1"))
    assert link.but(digits="").pairs == (("no-leading", "0"),)


def test_pairs_are_removed_by_name() -> None:
    link = Link("/hitblow", (("fact", "012:0H1B"), ("digits", "3"), ("fact", "34")))
    assert link.without("fact", "words").pairs == (("digits", "3"),)


def test_unknown_version_of_addresses_is_refused() -> None:
    check_version({})
    check_version({"v": "1"})
    with pytest.raises(InputError, match="unknown version '2' of an address"):
        check_version({"v": "2"})


def test_language_in_an_address_is_one_that_the_page_has() -> None:
    assert language_in({"lang": "ja"}) == "ja"
    assert language_in({"lang": "xx"}) is None
    assert language_in({}) is None

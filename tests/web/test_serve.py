"""Where the page listens."""

from __future__ import annotations

from yomikiri.web.serve import EVERYWHERE, LOOPBACK, endpoint


def test_without_being_asked_it_listens_on_this_machine_alone():
    where = endpoint(lan=False)
    assert where.host == LOOPBACK
    assert not where.any_address


def test_asked_for_the_network_it_listens_there():
    where = endpoint(lan=True)
    assert where.host == EVERYWHERE
    assert where.any_address

from yomikiri.tictactoe.search.table import Entry, Table


def test_the_table_stays_within_its_capacity_and_keeps_what_came_last():
    table = Table(10)
    for key in range(100):
        table.put(key, Entry(key, key, key))
        assert len(table) <= 10
        assert table.get(key) == Entry(key, key, key)
    assert [key for key in range(100) if table.get(key)] == list(range(90, 100))


def test_a_later_entry_replaces_an_earlier_one():
    table = Table(2)
    table.put(1, Entry(0, 5, 3))
    table.put(1, Entry(2, 5, 4))
    assert table.get(1) == Entry(2, 5, 4)
    assert table.get(2) is None

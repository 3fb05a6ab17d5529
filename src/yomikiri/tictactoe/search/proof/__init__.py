"""Proof-number search in machine code: whether the side to move can still gain so much, for long searches.

The same question, rules and states as `solver` has, a few dozen times the states in a second, and another order: not
the first move first and to its end, but always where least seems missing for a proof. That saves most where boards
differ wildly in how hard they are. `compiled` says where the machine code is kept, `tables` what a kernel knows of a
board, `pairs` has the pairing bound, `moves` the moves worth trying and their order, `states` what is known of a state
at a glance, `memo` remembers, `descent` is the search, and `prover` runs it.
"""

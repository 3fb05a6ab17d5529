"""The command line: one module per command or group of commands. The games themselves do no input or output.

No other package imports this one. Start reading at `main`, then `base`, which every command uses. `session` is the loop
of a session at the terminal.
"""

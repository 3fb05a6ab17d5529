"""The command line: one file a command or command group; no game logic."""

"""Questions: what can be asked of the program, once for the commands, the engine and the API."""

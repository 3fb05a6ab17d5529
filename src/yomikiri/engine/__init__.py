"""The engine: questions and answers as lines of JSON, for programs that stay connected.

Only the command `engine` imports this package. Begin with `serve`, which reads and answers the lines; `questions`
lists what can be asked.
"""

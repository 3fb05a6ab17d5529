"""The engine: questions and answers as lines of JSON, for programs that stay connected."""

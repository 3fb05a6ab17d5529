"""`python -m yomikiri` is the same program as `yomikiri`."""

from yomikiri.cli.main import main

main()

"""The web page: all games in a browser, rendered on the server. The address of a page contains the whole game.

The commands `web`, `site` and `hitblow export` import this package. Begin with `app`, which lists the addresses, then
`hitblow`.
"""

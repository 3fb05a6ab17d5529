"""The page: both games in a browser, rendered on the server, with the whole game in the address.

The commands `web` and `site` import this package. Begin with `app`, which lists the addresses, then `hitblow`.
"""

"""The page: both games in a browser, rendered here, the whole game in the address."""

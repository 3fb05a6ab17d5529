"""The page as a folder of static files, which a browser runs by itself: `yomikiri site`.

Only that command imports this package. Begin with `folder`.
"""

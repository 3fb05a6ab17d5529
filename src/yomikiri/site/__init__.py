"""The web page as a folder of static files, which runs in a browser: `yomikiri site`.

Only that command imports this package. Begin with `folder`.
"""

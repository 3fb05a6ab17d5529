"""Values to sentences: reasons and errors in the language in use, shared by every surface."""

from yomikiri.wording.language import LANGUAGES, _, language, language_wanted, ngettext, use_language
from yomikiri.wording.sentences import sentence

__all__ = ["LANGUAGES", "_", "language", "language_wanted", "ngettext", "sentence", "use_language"]

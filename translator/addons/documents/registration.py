"""What this add-on gives to the core: the translation of whole files."""

from typing import Any

from translator.translation.whole_files import FILE_TRANSLATORS


def _translate(*arguments: Any) -> None:
    from translator.addons.documents.files import translate_files

    translate_files(*arguments)


FILE_TRANSLATORS.register(_translate)

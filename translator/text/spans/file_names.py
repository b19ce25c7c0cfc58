"""File names and paths."""

import re

from translator.text.spans.verbatim import OUTSIDE_WORD, VerbatimKind

SHORT = 2  # letters of an extension that is no word in capitals, as in U.S. or vs.PY
EXTENSIONS = (
    "7z|apk|avi|bak|bash|bat|bib|bmp|bz2|c|cc|cfg|ckpt|conf|cpp|cs|css|csv|db|deb|dll|dmg|doc|docx"
    "|env|epub|exe|flac|gif|go|gz|h|h5|hpp|htm|html|ico|img|ini|ipynb|iso|jar|java|jpeg|jpg|js|json"
    "|jsonl|jsx|kt|lock|log|lua|md|mkv|mov|mp3|mp4|npy|npz|odp|ods|odt|ogg|onnx|parquet|pdf|pem|php"
    "|png|po|pot|ppt|pptx|ps1|psd|pt|py|r|rar|rb|rs|rst|rtf|sh|sql|sqlite|srt|svg|swift|tar|tex|tgz"
    "|tif|tiff|tmp|toml|ts|tsv|tsx|ttf|txt|vtt|war|wav|webm|webp|whl|woff|woff2|xls|xlsx|xml|xz"
    "|yaml|yml|zip|zst"
)
LONG = "|".join(name.upper() for name in EXTENSIONS.split("|") if len(name) > SHORT)
BEFORE = rf"{OUTSIDE_WORD}(?<![.@/\\~+-])(?<![^\s(*_]\*)"


class FileNameKind(VerbatimKind):
    """File names with a usual extension, and paths of Unix and Windows."""

    pattern = re.compile(
        rf"{BEFORE}(?:[\w@+~-]+[/\\])*(?:[\w@+-][\w@+.-]+|\*|[\w@+-](?=\.\w\w))"
        rf"\.(?:{EXTENSIONS}|{LONG})"
        r"(?!_*[^\W_])(?!\.\w)"
        rf"|{BEFORE}(?:~|\.\.?)?/[\w@+.-]*[\w@+-](?:/[\w@+.-]*[\w@+-])*/?(?![\w/])"
        r"|(?<![\w\\])[A-Za-z]:\\[^\s<>\"|?*]+"
        r"|(?<![\w.,@/\\~*-])\.[a-z][a-z_-]{2,}(?!\w)(?!\.\w)",
    )

    def end_of(self, text: str, start: int, end: int) -> int:
        """Leaves out punctuation after it."""
        while end > start and text[end - 1] in ".,;:!?)'":
            end -= 1
        return end

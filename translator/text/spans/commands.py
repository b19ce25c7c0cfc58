"""Lines for a shell, which stay as a whole: ls -la /home, node index.js, jest --watch.

The table ``commands`` of a language has words that sentences have and such a line has not.
"""

import re

from translator.base.languages import language_table

# Programs whose names are hardly the first word of a sentence in small letters
PROGRAM = re.compile(
    "apk|apt|apt-get|awk|bash|brew|bundle|cargo|cat|cd|chmod|chown|cmake|conda|cp|curl|deno"
    "|dnf|docker|echo|gcc|gem|git|gradle|grep|gunzip|gzip|helm|java|javac|jest|journalctl"
    "|kubectl|ls|mkdir|mv|mvn|mysql|nano|nginx|node|npm|npx|php|pip|pip3|pnpm|poetry|psql"
    "|pytest|python|python3|rails|rm|rmdir|rsync|ruby|rustc|scp|sed|ssh|sudo|systemctl|tar"
    "|terraform|tsc|uv|vim|wget|xargs|yarn|yum|zip"
)
WORD = r"[a-z][a-z0-9]*(?:[_+-][a-z0-9]+)*"
OPTION = r"--[A-Za-z][\w-]*(?:=\S+)?|-[A-Za-z]{1,3}"
PLACE = r"[\w.~/@:{}$%*=+\\-]*[/.=~\\][\w.~/@:{}$%*=+\\?&#-]*"  # a file, a path or an address
QUOTED = r"\"[^\"]*\"|'[^']*'"
TOKEN = rf"(?:{OPTION}|{PLACE}|{QUOTED}|[\w-]+)"
LINE = re.compile(rf"(?:\$ )?(?P<first>{WORD}|\./[\w./-]+)(?P<rest>(?: {TOKEN})+)")
ASSIGNMENT = re.compile(r"(?:export|set|env) [A-Z_][A-Z0-9_]*=\S*")
HAS_OPTION = re.compile(rf"(?<!\S)(?:{OPTION})(?!\S)")
SURE_OPTION = re.compile(r"(?<!\S)(?:--[a-z][\w-]*(?:=\S+)?|-[A-Za-z])(?!\S)")
HAS_PLACE = re.compile(rf"(?<!\S){PLACE}(?!\S)")
FINAL = (".", "!", "?", ":", ";", ",")
CURRENT = (" .", " ..")  # folders
CAPITAL = re.compile(r"(?<!\S)[A-ZÄÖÜ]")
MOST_WORDS = 20


def is_command_line(text: str, language: str) -> bool:
    """Whether a text is nothing but a line for a shell.

    It has no final mark and no word of sentences, and begins with a word in small letters. It has
    an option, or it begins with a known program and has a file, a path or an address.
    """
    if ASSIGNMENT.fullmatch(text):
        return True
    found = LINE.fullmatch(text) if text.count(" ") <= MOST_WORDS else None
    if found is None or text.endswith(FINAL) and not text.endswith(CURRENT):
        return False
    rest = re.sub(QUOTED, "", found["rest"])
    is_program = PROGRAM.fullmatch(found["first"]) or found["first"].startswith("./")
    words = language_table(language, "commands").get("sentence_words", ())
    is_other = SURE_OPTION.search(rest) and not CAPITAL.search(rest)
    if not (is_other or is_program and (HAS_OPTION.search(rest) or HAS_PLACE.search(rest))):
        return False
    return not {found["first"], *rest.split()} & set(words)

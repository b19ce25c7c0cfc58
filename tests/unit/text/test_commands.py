"""Lines for a shell are told from sentences."""

from translator.text.spans.commands import is_command_line


def test_a_line_for_a_shell_has_an_option_or_a_program_and_a_place():
    for line in [
        "ls -la /home/tom", "node index.js", "jest --watch", "export FOO=bar", "cd ..",
        "curl https://a.de/x?y=1", "git commit -m 'Say it' --all", "$ npm install -g foo",
        "./run.sh --fast", "foo-bar -x", "tar -xzf a.tar.gz",
    ]:  # fmt: skip
        assert is_command_line(line, "en"), line
        assert is_command_line(line, "de"), line
    for line in [
        "open main.py", "use --force", "the option --help", "good morning -tom", "cat food",
        "yes - no", "visit https://a.de", "node index.js.", "Jest --watch", "--watch", "he is -a",
        "cat a.txt for me", "see You -x", "", "export data", "run it --all and go",
    ]:  # fmt: skip
        assert not is_command_line(line, "en"), line

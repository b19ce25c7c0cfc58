"""`translator neighbours` as a user types it."""

import json

from tests.commands import refused, run


def test_neighbours_are_listed_and_written_as_json(capfd, tiny_run):
    arguments = ("neighbours", "Katze", "Hund", "--run", tiny_run, "--count", 5)
    code, out, err = run(capfd, *arguments, "--side", "target", "--json")
    assert code == 0, err
    words = json.loads(out)["words"]
    assert list(words) == ["Katze", "Hund"]
    assert [len(each["neighbours"]) for each in words.values()] == [5, 5]
    code, out, err = run(capfd, *arguments, "--side", "target")
    assert code == 0, err
    titles = [line.split()[0] for line in out.splitlines() if line and line[0] != " "]
    assert titles == ["Katze", "Hund"]
    nearest = words["Katze"]["neighbours"][0]
    assert nearest["piece"].removeprefix("▁") in out


def test_bad_options_are_one_line(capfd, tiny_run, tmp_path):
    for arguments, message in [
        (("Katze", "--side", "left"), "side: expected"),
        (("",), "expected"),
    ]:
        assert message in refused(capfd, "neighbours", *arguments, "--run", tiny_run)
        assert not list(tmp_path.iterdir())

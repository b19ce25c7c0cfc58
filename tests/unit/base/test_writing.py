"""Files and folders that are there whole or not at all."""

import os

from translator.base.files import whole_folder


def test_what_a_killed_process_of_the_same_number_left_is_no_hindrance(tmp_path):
    left = tmp_path / f"export.{os.getpid()}.part"
    left.mkdir()
    (left / "half").write_text("of it")
    with whole_folder(tmp_path / "export") as partial:
        (partial / "whole").write_text("all of it")
    assert [path.name for path in (tmp_path / "export").iterdir()] == ["whole"]
    assert [path.name for path in tmp_path.iterdir()] == ["export"]

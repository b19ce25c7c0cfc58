"""What a resumed run keeps of its settings, and what may be changed."""

from types import SimpleNamespace

import pytest

from translator.base.errors import InputError
from translator.config.yaml_file import config_to_yaml, read_config, replace_values
from translator.training.settings import settings_to_resume

TEXT = """
corpus: {{train: {{tsv: pairs.tsv}}}}
data: {{batch_size: 8}}
model: {{}}
training: {{epochs: 2, {training}}}
"""
OF_MACHINE = {
    "training.backend": "jax",
    "training.precision": "float32",
    "training.data_parallel": 1,
    "training.schedule.total_steps": 90,
    "validation.translate_every": 0,
}


@pytest.fixture
def resumed(tmp_path):
    """What a run goes on with that was begun on some machine, by what is asked for then."""

    def resume(*overrides: str, training: str = "seed: 1"):
        path, own = tmp_path / "mine.yaml", tmp_path / "config.yaml"
        schedule = "schedule: {name: linear, learning_rate: 1e-3, warmup_steps: 9}"
        path.write_text(TEXT.format(training=f"{schedule}, {training}"), "utf-8")
        of_run = replace_values(read_config(path), OF_MACHINE, "here")
        own.write_text(config_to_yaml(of_run), "utf-8")
        run = SimpleNamespace(path="run", read_config_to_resume=lambda: read_config(own))
        return settings_to_resume(read_config(path, overrides), run).model_dump()

    return resume


def test_what_is_left_out_stays_and_some_settings_may_change(resumed):
    found = resumed("training.precision=auto")
    assert found["training"]["precision"] == "float32"
    assert found["training"]["schedule"]["total_steps"] == 90
    assert found["validation"]["translate_every"] == 0
    found = resumed("training.epochs=9", "validation.patience=3", training="devices: 2")
    assert (found["training"]["epochs"], found["validation"]["patience"]) == (9, 3)
    assert found["training"]["devices"] == 2
    assert resumed()["training"]["devices"] == "auto"
    message = (
        r"^run: .* model.dff \(512, found 32\), training.precision \(float32, found bfloat16\);"
    )
    with pytest.raises(InputError, match=message):
        resumed("training.precision=bfloat16", "model.dff=32")

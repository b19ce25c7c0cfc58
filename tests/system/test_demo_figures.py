"""What the demo promises, measured on a whole training of it."""

import pytest
import sacrebleu

SENTENCES = {
    "He admired her as a great director.": "Er bewunderte sie als großartige Regisseurin.",
    "I went to the shop to buy something to drink.": (
        "Ich ging in den Laden, um etwas zu trinken zu kaufen."
    ),
    "Anthony Hopkins admired Michael Bay as a great director.": (
        "Anthony Hopkins bewunderte Michael Bay als großartigen Regisseur."
    ),
}


@pytest.mark.slow
def test_demo_reaches_its_scores_and_translates_its_three_sentences(pytestconfig, tmp_path):
    """Nearly as the guide shows them: what is one word off depends on the processor."""
    import translator
    from translator.config.yaml_file import read_config
    from translator.evaluation.run_evaluation import evaluate_split
    from translator.training.start import train

    config = read_config(pytestconfig.rootpath / "configs" / "demo.yaml")
    assert train(config, tmp_path / "demo").finished
    model = translator.load(tmp_path / "demo")
    result = evaluate_split(model, "test")
    assert result.scores.bleu >= 90
    assert result.scores.sentences == 1600
    assert len(result.phenomena) >= 20
    for name, scores in result.phenomena.items():
        assert scores.sentences >= 50, name
        assert scores.bleu >= 80, name
    for translation, german in zip(model.translate(list(SENTENCES)), SENTENCES.values()):
        assert sacrebleu.sentence_chrf(translation.text, [german]).score > 60, translation

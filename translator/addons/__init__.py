"""What looks at a model and judges it, reads models of others, and serves: nothing needs it to
train or to translate.

Each package here is an add-on. It uses the core, which never imports it: `base.addons` finds here
what it brings. Deleting one, with its lines here, takes that away, and nothing else breaks.
"""

_ATTENTION = "translator.addons.attention.commands"
_EXPLANATION = "translator.addons.explanation.commands"
_MODELS = "translator.addons.public_models.commands"

COMMANDS = {  # by their groups in the help: the module of each, and what it does
    "Translate": {
        "serve": (
            "translator.addons.serving.commands",
            "Translate on a page in the browser, and for other programs.",
        ),
    },
    "Look inside": {
        "attention": (_ATTENTION, "Translate, and save or draw what every head attended to."),
        "draw": (_ATTENTION, "Draw or explore saved attention records, or write them as JSON."),
        "heads": (
            "translator.addons.attention.heads_command",
            "Measure what each head of a run attends to.",
        ),
        "explain": (_EXPLANATION, "Show every step of a head on one sentence, with its numbers."),
        "model": (_EXPLANATION, "Show what a model is made of: layers, shapes, parameters."),
        "neighbours": (_EXPLANATION, "Print the words that a model holds for most alike."),
    },
    "Train": {
        "average": (
            "translator.addons.averaging.commands",
            "Make a new run from the mean of several weights.",
        ),
        "calibrate": (
            "translator.addons.confidence.commands",
            "Fit how likely a run's translations are right.",
        ),
        "curves": (
            "translator.addons.monitoring.commands",
            "Draw loss, scores and speed of runs, to compare them.",
        ),
    },
    "Public models": {
        "models": (_MODELS, "List the public models that can be fetched."),
        "import": (_MODELS, "Make a run of a public model."),
    },
    "Data": {
        "inspect": (
            "translator.addons.inspection.commands",
            "Look for wrong pairs in a corpus before training on it.",
        ),
    },
}
FIRST = "serve", "attention", "heads", "explain", "curves", "models", "inspect"  # most needed

ANSWERS = {  # to hooks, by their names
    "assessors": ["confidence.assessor:open_assessor"],
    "doubts": ["confidence.assessor:KINDS"],
    "record pages": ["attention.page:explorer_html"],
    "file translators": ["documents.files:translate_files"],
    "warners": [
        "inspection.report:look_at",
        "monitoring.prospects:warn",
        "monitoring.prospects:offer_known_model",
    ],
    "watchers": ["attention.filming:film_of"],
    "recorders": ["monitoring.scalars:record_scalars"],
    "finishers": [
        "confidence.fitting:fit_and_save",
        "monitoring.prospects:compare_with_known_model",
    ],
    "commands afterwards": ["attention.commands:AFTERWARDS"],
    "advisers": ["monitoring.advice:advise_after"],
}

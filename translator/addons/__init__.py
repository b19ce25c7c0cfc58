"""Add-ons that inspect and judge a model, read models of others, or serve.

Training and translating need none. Each package here is one add-on. It uses the core, which never
imports it: `base.addons` finds here the functions of an add-on. If you delete an add-on and its
lines here, only these functions are gone; nothing else breaks.
"""

COMMANDS = {  # by their groups in the help, and what each does
    "Translate": {"serve": "Translate on a page in the browser, and for other programs."},
    "Look inside": {
        "attention": "Translate, and save or draw what every head attended to.",
        "draw": "Draw or explore saved attention records, or write them as JSON.",
        "heads": "Measure what each head of a run attends to.",
        "explain": "Show every step of a head on one sentence, with its numbers.",
        "model": "Show what a model is made of: layers, shapes, parameters.",
        "neighbours": "Print the words that a model holds for most alike.",
    },
    "Train": {
        "average": "Make a new run from the mean of several weights.",
        "calibrate": "Fit the confidence of a run's translations.",
        "curves": "Draw loss, scores and speed of runs, to compare them.",
    },
    "Public models": {
        "models": "List the public models that can be fetched.",
        "import": "Make a run of a public model.",
    },
    "Data": {"inspect": "Look for wrong pairs in a corpus before training on it."},
}
MODULES = {  # where they are
    "addons.serving.commands": ("serve",),
    "addons.attention.commands": ("attention", "draw"),
    "addons.attention.heads_command": ("heads",),
    "addons.explanation.commands": ("explain", "model", "neighbours"),
    "addons.averaging.commands": ("average",),
    "addons.confidence.commands": ("calibrate",),
    "addons.monitoring.commands": ("curves",),
    "addons.public_models.commands": ("models", "import"),
    "addons.inspection.commands": ("inspect",),
}
FIRST = "serve", "attention", "heads", "explain", "curves", "models", "inspect"  # most needed

ANSWERS = {  # to hooks, by their names
    "assessors": ["confidence.assessor:open_assessor"],
    "doubts": ["confidence.assessor:KINDS"],
    "record pages": ["attention.page:explorer_html"],
    "file translators": ["documents.files:translate_files"],
    "warners": [
        "inspection.report:warn_about_pairs",
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

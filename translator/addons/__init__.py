"""Add-ons that inspect and judge a model, read models of others, or serve.

Training and translating need no add-on. Each package here is one. Add-ons import the core, but the
core never imports an add-on: `base.addons` finds its functions in the tables below. If you delete
an add-on and its lines here, only its functions are missing.
"""

COMMANDS = {  # by group in the help, each with its task
    "Translate": {"serve": "Translate on a page in the browser, and answer other programs."},
    "Look inside": {
        "attention": "Translate, and save or draw what every head attended to.",
        "draw": "Draw or explore saved attention records, or write them as JSON.",
        "heads": "Measure what each head of a run attends to.",
        "explain": "Show every step of a head on one sentence, with its numbers.",
        "model": "Show the parts of a model: layers, shapes, parameters.",
        "neighbours": "Print the words whose vectors are most similar.",
    },
    "Train": {
        "average": "Make a new run from the mean of several weights.",
        "calibrate": "Fit the confidence of a run's translations.",
        "curves": "Draw loss, scores and speed of runs, to compare them.",
    },
    "Public models": {
        "models": "List the public models that can be fetched.",
        "import": "Make a run from a public model.",
    },
    "Data": {"inspect": "Look for wrong pairs in a corpus before training on it."},
}
MODULES = {  # of these commands
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
FIRST = "serve", "attention", "heads", "explain", "curves", "models", "inspect"  # most useful

ANSWERS = {  # functions by the names of hooks
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

"""What looks at a model and judges it, reads models of others, and serves: nothing needs it to
train or to translate.

Each package here is an add-on. It uses the core, which never imports it: `base.addons` finds its
commands and what it registers. Deleting one takes its commands away, and nothing else breaks.
"""

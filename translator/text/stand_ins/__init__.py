"""The rules of models without masks: what such a model cannot spell is shown as a usual word.

Only `translator.text.stand_in_codec` may import it. Each kind of span is a class and a name in
`registry`; how spans are shown to the model is in `showing`, how they are found again and put back
in `restoring`.
"""

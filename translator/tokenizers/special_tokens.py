"""The special tokens by the names that pieces, records and pictures show."""

START = "<s>"  # begins every sentence
END = "</s>"  # ends every sentence
PADDING = "<pad>"  # fills up short sentences
UNKNOWN = "<unk>"  # stands for what the tokenizer cannot spell

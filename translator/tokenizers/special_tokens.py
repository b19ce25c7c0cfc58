"""The special tokens, and the names that pieces, records and pictures show for them."""

START = "<s>"  # begins every sentence
END = "</s>"  # ends every sentence
PADDING = "<pad>"  # fills up short sentences
UNKNOWN = "<unk>"  # stands for characters that the tokenizer has no piece for
NOT_TEXT = (START, END, PADDING)  # tokens that spell nothing

WORD_START = "▁"  # what SentencePiece writes for the space before a word

# Their ids in a model that is trained here, as SentencePiece's options.
TRAINED_IDS = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": 3}
# Their ids in BPEmb's models, which have no padding; the id after the last piece becomes it.
BPEMB_IDS = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": -1}

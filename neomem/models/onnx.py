"""Local embeddings: a model's ONNX file and tokenizer, run on this machine's cores."""

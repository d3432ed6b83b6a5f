"""OpenAI-compatible endpoints: embeddings and answers, with retries."""

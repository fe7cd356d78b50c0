"""Which utterances are decoded side by side, and when: buckets by token length under one budget."""

"""Pending utterances become clips: the loop that survives running out of memory."""

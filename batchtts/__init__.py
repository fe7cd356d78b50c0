"""batchtts turns long documents into audiobooks, offline, in batches."""

__version__ = "0.1.0"

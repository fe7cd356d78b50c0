"""How a text is spoken."""

from batchtts.model import Spoken


def speak(text: str) -> Spoken:
    return Spoken(text)

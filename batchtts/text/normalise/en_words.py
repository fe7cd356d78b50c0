"""Words of English: months, currencies, units, abbreviations, signs."""

from __future__ import annotations

MONTHS = {
    "jan": "January", "feb": "February", "mar": "March", "apr": "April", "may": "May", "jun": "June", "jul": "July",
    "aug": "August", "sep": "September", "oct": "October", "nov": "November", "dec": "December",
}  # fmt: skip
CURRENCIES = {
    "$": ("dollar", "cent"), "US$": ("US dollar", "cent"), "€": ("euro", "cent"), "£": ("pound", "penny"),
    "¥": ("yuan", "fen"), "₩": ("won", ""), "HK$": ("Hong Kong dollar", "cent"), "A$": ("Australian dollar", "cent"),
    "C$": ("Canadian dollar", "cent"),
}  # fmt: skip
UNITS = {
    "km/h": "kilometer| per hour", "mph": "mile| per hour", "m/s": "meter| per second",
    "mg/L": "milligram| per liter", "km²": "square kilometer|", "m²": "square meter|", "㎡": "square meter|",
    "m³": "cubic meter|", "km": "kilometer|", "cm": "centimeter|", "mm": "millimeter|", "nm": "nanometer|",
    "kg": "kilogram|", "mg": "milligram|", "g": "gram|", "lb": "pound|", "lbs": "pound|", "oz": "ounce|",
    "ft": "foot|", "mi": "mile|", "ml": "milliliter|", "mL": "milliliter|", "L": "liter|",
    "kg/m³": "kilogram| per cubic meter", "g/cm³": "gram| per cubic centimeter", "kcal": "kilocalorie|",
    "m/s²": "meter| per second squared", "mA": "milliamp|", "mAh": "milliamp hour|", "V": "volt|", "kV": "kilovolt|",
    "W": "watt|", "Ω": "ohm|", "μm": "micrometer|", "μg": "microgram|", "m": "meter|", "h": "hour|", "rpm": "RPM",
    "cm²": "square centimeter|", "cm³": "cubic centimeter|", "ha": "hectare|", "MB/s": "megabyte| per second",
    "GB/s": "gigabyte| per second", "Mbps": "megabit| per second", "Gbps": "gigabit| per second",
    "sq ft": "square foot|", "kPa": "kilopascal|", "hPa": "hectopascal|", "MPa": "megapascal|",
    "ppm": "parts per million", "kWh": "kilowatt hour|", "kW": "kilowatt|", "MW": "megawatt|", "GHz": "gigahertz",
    "MHz": "megahertz", "kHz": "kilohertz", "Hz": "hertz", "KB": "kilobyte|", "MB": "megabyte|", "GB": "gigabyte|",
    "TB": "terabyte|", "dB": "decibel|", "ms": "millisecond|", "min": "minute|", "hr": "hour|", "hrs": "hour|",
    "°": "degree|", "㎏": "kilogram|", "㎎": "milligram|", "㎞": "kilometer|", "㎝": "centimeter|",
    "㎜": "millimeter|",
}  # fmt: skip
"""`|` is where the plural goes."""
ABBREVIATIONS = {
    "Mr.": "Mister", "Mrs.": "Missus", "Dr.": "Doctor", "Prof.": "Professor", "Gen.": "General", "Col.": "Colonel",
    "Capt.": "Captain", "Lt.": "Lieutenant", "Sgt.": "Sergeant", "Rev.": "Reverend", "Sr.": "Senior", "Jr.": "Junior",
    "Mt.": "Mount", "vs.": "versus", "etc.": "et cetera", "e.g.": "for example", "i.e.": "that is",
    "approx.": "approximately", "dept.": "department", "Ave.": "Avenue", "Blvd.": "Boulevard", "Inc.": "Incorporated",
    "Ltd.": "Limited", "Co.": "Company", "Corp.": "Corporation", "Gov.": "Governor", "Maj.": "Major",
    "Messrs.": "Messieurs", "et al.": "and others", "cf.": "compare", "w/o": "without",
}  # fmt: skip
SIGNS = {
    "&": "and", "@": "at", "+": "plus", "=": "equals", "%": "percent", "‰": "per mille", "#": "number", "×": "times",
    "÷": "divided by", "−": "minus", "≠": "is not", "≈": "about", "≤": "at most", "≥": "at least",
    "±": "plus or minus", "№": "number", "¢": "cents", "∠": "angle", "∑": "sum", "∫": "integral", "∈": "in",
    "≡": "is identical to", "⊥": "perpendicular to", "∥": "parallel to", "°": "degrees", "℃": "degrees Celsius",
    "℉": "degrees Fahrenheit", "$": "dollars", "€": "euros", "£": "pounds", "¥": "yuan", "²": "squared", "³": "cubed",
    "√": "root", "∞": "infinity", "→": "to", "§": "section", "©": "copyright",
}  # fmt: skip
"""A sign that no rule took, as a word."""

GREEK_NAMES = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΦΨΩς",
        (
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon "
            "phi chi psi omega gamma delta theta lambda xi pi sigma phi psi omega sigma"
        ).split(),
        strict=True,
    )
)
PER = {
    "hr": "hour", "hour": "hour", "day": "day", "week": "week", "month": "month", "mo": "month", "year": "year",
    "yr": "year", "min": "minute", "sec": "second", "kg": "kilogram", "lb": "pound", "person": "person",
    "night": "night", "mile": "mile",
}  # fmt: skip
"""What a price is for, after a slash."""
BEFORE_A_NUMBER = {
    "p.": "page", "pp.": "pages", "Fig.": "Figure", "fig.": "figure", "Vol.": "Volume", "vol.": "volume",
    "ch.": "chapter", "Ch.": "Chapter", "sec.": "section", "Sec.": "Section",
    "Nos.": "numbers", "nos.": "numbers", "Eq.": "Equation", "Art.": "Article", "Apt.": "Apartment",
}  # fmt: skip
"""Abbreviations that are words of their own, or the end of a sentence, unless a number follows."""

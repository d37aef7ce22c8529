"""How the benches print: tables of plain text, and the numbers in them."""

from statistics import median


class Right(str):
    """A text that stands at the right end of its column."""

    __slots__ = ()


def table(head, rows):
    """Prints rows of texts under their heads; a column with a `Right` in it is aligned to the right."""
    columns = list(zip(head, *rows))
    widths = [max(map(len, column)) for column in columns]
    aligned = [str.rjust if any(isinstance(cell, Right) for cell in column) else str.ljust for column in columns]
    for line in [head, *rows]:
        print("  ".join(align(cell, width) for cell, width, align in zip(line, widths, aligned)).rstrip())


def number(value):
    """Four digits are more than any figure here can carry."""
    if value is None:
        return Right("-")
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2 if abs(value) >= 10 else 3
    return Right(f"{value:.{digits}f}")


def percent(share, digits=1):
    return Right("-" if share is None else f"{share * 100:.{digits}f} %")


def deviation(ratio):
    """A ratio as a signed difference from 1."""
    return Right("-" if ratio is None else f"{(ratio - 1) * 100:+.1f} %")


def spread(values, form=number):
    """The median and the range of some values."""
    if not values:
        return Right("-")
    return Right(f"{form(median(values))} [{form(min(values))} - {form(max(values))}]")


def verdict(met):
    return "met" if met else "not met"


def heading(line):
    print(f"\n{line}\n{'-' * len(line)}")

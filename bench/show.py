"""How the benches print: tables of plain text, and the numbers in them."""

from statistics import median


def table(head, rows):
    """Prints rows under their heads; texts to the left, everything else to the right."""
    lines = [head, *rows]
    widths = [max(len(text(line[at])) for line in lines) for at in range(len(head))]
    for line in lines:
        cells = zip(line, widths, (isinstance(cell, str) for cell in (rows or [head])[0]))
        print("  ".join(text(cell).ljust(w) if left else text(cell).rjust(w) for cell, w, left in cells).rstrip())


def text(cell):
    return cell if isinstance(cell, str) else str(cell)


class Right(str):
    """A text that stands at the right end of its column."""

    __slots__ = ()

    def ljust(self, width, *fill):
        return self.rjust(width, *fill)


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

// Lets a reader sort a table: a heading is a button that sorts by its column, upwards, downwards, and then as the table was.

type Direction = "ascending" | "descending";

/** Fewer rows are seen at a glance. */
const FEWEST = 3;

/** Makes every table sortable whose rows stand for themselves: a ratio belongs below the rows that it is of. */
export function makeTablesSortable(page: ParentNode): void {
  for (const table of page.querySelectorAll<HTMLTableElement>("main table")) {
    const body = table.tBodies[0];
    const headings = table.tHead?.rows[0]?.cells;
    if (!body || !headings || body.rows.length < FEWEST || body.querySelector("tr.ratio, tr.control")) continue;
    makeSortable(body, [...headings]);
  }
}

function makeSortable(body: HTMLTableSectionElement, headings: HTMLTableCellElement[]): void {
  const rows = [...body.rows];
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const direction = next(heading.getAttribute("aria-sort"));
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      if (direction) heading.setAttribute("aria-sort", direction);
      body.append(...(direction ? sorted(rows, column, direction) : rows));
    });
  });
}

function next(now: string | null): Direction | undefined {
  if (now === "ascending") return "descending";
  return now === "descending" ? undefined : "ascending";
}

/** The rows by a column; those without anything to sort by come last, either way. */
function sorted(rows: HTMLTableRowElement[], column: number, direction: Direction): HTMLTableRowElement[] {
  const keyed = rows.map((row) => ({ row, key: keyOf(row.cells[column]) }));
  const sign = direction === "ascending" ? 1 : -1;
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined);
    return sign * compare(a.key, b.key);
  });
  return keyed.map(({ row }) => row);
}

type Key = number | string;

/** What the units are worth that cells of one column may have beside each other. */
const UNITS: Record<string, number> = {
  KB: 1e3,
  KiB: 1024,
  MB: 1e6,
  MiB: 1024 ** 2,
  GB: 1e9,
  GiB: 1024 ** 3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
};

/** A number where the cell begins with one, whatever sign or interval stands with it. */
function keyOf(cell: HTMLTableCellElement | undefined): Key | undefined {
  const text = cell?.firstChild?.textContent?.trim() ?? "";
  if (text === "" || text === "—") return undefined;
  const [, number, unit] = /^[~>]?(-?\d+(?:\.\d+)?)\s*([A-Za-zµ]*)/.exec(text) ?? [];
  return number === undefined ? text : Number(number) * (UNITS[unit ?? ""] ?? 1);
}

function compare(a: Key, b: Key): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a.localeCompare(b, "en", { numeric: true });
  return typeof a === "number" ? -1 : 1;
}

// The part of the report's data that the charts need; crates/report/src/view.rs says what each field means.

export interface Quantity {
  is: "quantity";
  value: number;
  low: number;
  high: number;
  unit: string;
}

export type Cell = Quantity | { is: "empty" } | { is: "text"; text: string } | { is: "hole"; reason: string };

export interface Chart {
  is: "chart" | "marks";
  title: string;
  unit: string;
  log: boolean;
  labels: string[];
  series: { name: string; points: Cell[] }[];
}

/** Costs of a plan by terms; crates/report/src/model/slider.rs says what a mixture of shares is. */
export interface Slider {
  is: "slider";
  cpus: number;
  share: number;
  now: Interval;
  full: Interval;
  resumed: Interval;
  terms: { ns: number; now: number; full: number; resumed: number }[];
}

export interface Interval {
  value: number;
  low: number;
  high: number;
}

export interface View {
  sections: { id: string; blocks: (Chart | Slider | { is: "table" | "details" | "picture" | "notes" })[] }[];
}

export function quantity(cell: Cell | undefined): Quantity | undefined {
  return cell?.is === "quantity" ? cell : undefined;
}

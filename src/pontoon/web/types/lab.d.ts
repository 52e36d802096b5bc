// What the server says to the rules lab, and what a person has chosen there.

declare namespace Lab {
  /** A value of a rule, as a rulebook has it. */
  type Value = boolean | number | string | (number | string)[];
  type Option = { value: Value; words: string };

  /** A rule that may be changed. */
  interface Rule {
    key: string;
    label: string;
    /** Shown at once; the others on request. */
    main: boolean;
    /** What the document says. */
    value: Value;
    options: Option[];
    sentence: string;
    clauses: string[];
  }
  type Group = { name: string; title: string; rules: Rule[] };
  type RuleList = { rulebook: string; title: string; place: string; groups: Group[] };

  type SideBet = { name: string; house_edge: number; fraction: string };
  type Side = { rulebook: string; digest: string; packs: number; house_edge: number; side_bets: SideBet[] };
  type Change = { key: string; label: string; words: string; was: string; worth: number | null };

  /** A rule that two casinos have differently. */
  interface Difference {
    key: string;
    label: string;
    main: boolean;
    first: string;
    second: string;
    first_clauses: string[];
    second_clauses: string[];
  }
  type EdgePart = { now: Side; was: Side; stake: number; changes: Change[]; differences: Difference[] };

  type Cell = { code: string; words: string; was?: string };
  type Row = { hand: string; changed: number; cells: Cell[] };
  type Block = { name: string; title: string; changed: number; rows: Row[] };
  interface ChartPart {
    changed: number;
    upcards: string[];
    blocks: Block[];
    legend: { signs: string; sign: string; words: string }[];
    cost: number;
  }

  /** What a person has chosen: all of it is in the address. */
  interface State {
    rulebook: string;
    /** In the order they were changed. */
    overrides: Record<string, Value>;
    /** Cents. */
    stake: number;
    /** Rounds an hour. */
    pace: number;
    /** Another casino, or nothing. */
    against: string;
    /** What an address says beside that: rules that are not read yet. */
    rest?: [string, string][];
  }
}

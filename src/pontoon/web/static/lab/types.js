// The shapes of what the server says to the lab; there is no code here.

/** @typedef {boolean | number | string | (number | string)[]} Value a value of a rule, as a rulebook has it */
/** @typedef {{value: Value, words: string}} Option */
/**
 * @typedef {object} Rule a rule that may be changed
 * @property {string} key
 * @property {string} label
 * @property {boolean} main shown at once; the others on request
 * @property {Value} value what the document says
 * @property {Option[]} options
 * @property {string} sentence
 * @property {string[]} clauses
 */
/** @typedef {{name: string, title: string, rules: Rule[]}} Group */
/** @typedef {{rulebook: string, title: string, place: string, groups: Group[]}} RuleList */
/** @typedef {{name: string, title: string, place: string}} Casino */

/** @typedef {{name: string, house_edge: number, fraction: string}} SideBet */
/** @typedef {{rulebook: string, digest: string, packs: number, house_edge: number, side_bets: SideBet[]}} Side */
/** @typedef {{key: string, label: string, words: string, was: string, worth: number | null}} Change */
/**
 * @typedef {object} Difference a rule that two casinos have differently
 * @property {string} key
 * @property {string} label
 * @property {boolean} main
 * @property {string} first
 * @property {string} second
 * @property {string[]} first_clauses
 * @property {string[]} second_clauses
 */
/** @typedef {{now: Side, was: Side, stake: number, changes: Change[], differences: Difference[]}} EdgePart */
/** @typedef {{code: string, words: string, was?: string}} Cell */
/** @typedef {{hand: string, changed: number, cells: Cell[]}} Row */
/** @typedef {{name: string, title: string, changed: number, rows: Row[]}} Block */
/**
 * @typedef {object} ChartPart
 * @property {number} changed
 * @property {string[]} upcards
 * @property {Block[]} blocks
 * @property {{signs: string, sign: string, words: string}[]} legend
 * @property {number} cost
 */

/**
 * @typedef {object} State what a person has chosen: all of it is in the address
 * @property {string} rulebook
 * @property {Record<string, Value>} overrides in the order they were changed
 * @property {number} stake cents
 * @property {number} pace rounds an hour
 * @property {string} against another casino, or nothing
 */

export {};

// What the modules of the page pass to each other; what the server sends is in view.d.ts.

/** A command as it is sent to a table or a tournament. */
interface Command {
  type: string;
  box?: number;
  player?: string;
  amount?: number;
  on?: number;
  [fact: string]: any;
}

/** The signed-in user. */
interface Me {
  name: string;
  role: string;
  guest: boolean;
  wallet: number;
}

/** What is planned for one box: the wager, and the side wagers by name. */
interface PlannedWager {
  stake: number;
  side: Record<string, number>;
}

/** Planned wagers by box. */
type Plan = Map<number, PlannedWager>;

/** The room with the time left of a running clock, which only a snapshot has. */
type Room = RoomView & { left?: number };

/** Everything a table page is drawn from. */
interface TableModel {
  id: string;
  version: number;
  room: Room;
  view: TableView;
  /** Events of the last frame. */
  events: EventView[];
  proofs: Proof[];
  log: EventView[];
  me: Me | null;
  connection: import("../static/connection.js").Connection;
  settings: import("../static/settings.js").Settings;
  session: import("../static/settings.js").Session;
  /** Planned wagers that differ from those on the table. */
  pending: Record<number, PlannedWager>;
  /** Milliseconds a settled round stays readable. */
  stays?: number;
  /** Why betting is closed by a limit the user has set. */
  stopped?: string;
}

/** What drawing a table needs: a replay has no connection and no plan. */
type DrawnTable = Pick<TableModel, "id" | "version" | "room" | "view" | "me"> & Partial<TableModel>;

/** What can be done about a refusal or an event: the clauses behind it. */
interface Why {
  clauses: string[];
  words: string;
  rulebook?: string;
}

/** The page's own services, given to everything it opens. */
interface App {
  connection: import("../static/connection.js").Connection;
  settings: import("../static/settings.js").Settings;
  session: import("../static/settings.js").Session;
  go(path: string, replace?: boolean): void;
  notice(words: string, clauses?: string[]): void;
  openPanel(name: string, detail?: any): Promise<void>;
  closePanel(): void;
  showHelp(): Promise<void>;
  newChips(): Promise<void>;
  showUser(): void;
  updatePanel(model: any): void;
  panelName(): string;
  /** Number of boxes of the table that is open; 0 in the lobby. */
  boxes(): number;
}

/** A page that is open in `main`. */
interface Page {
  model?: any;
  /** Chips to show in place of the wallet, at a tournament table. */
  chips?: number;
  update(): void;
  close(): void;
  frame?(frame: StepFrame | SnapshotFrame): void;
  panelShown?(name: string): void;
}

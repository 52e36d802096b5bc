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
  practice?: number;
  /** Practice chips handed out so far. */
  given?: number;
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
  /** What the coach says of the decision that is due. */
  advice?: CoachAnswer | null;
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
  /** The model of the table that is open; null elsewhere. */
  model(): TableModel | null;
  /** Name and rules of the open table, in the header. */
  where(name: string, line: string, more?: string): void;
  /** The tools of the open page, in the header. */
  tools(element: HTMLElement | null): void;
  /** Show the coach's switch where the coach may speak. */
  coachSwitch(shown: boolean): void;
  /** Sign in as a guest where nobody is signed in; whether somebody is now. */
  signInAsGuest(): Promise<boolean>;
  /** Fill up the practice chips. */
  newPracticeChips(): Promise<void>;
  /** Open a private practice table and go there. */
  playNow(more?: Record<string, any>): Promise<void>;
}

/** A page that is open in `main`. */
interface Page {
  model?: any;
  /** Chips to show in place of the wallet, at a tournament or practice table, and their name. */
  chips?: number;
  chipsName?: string;
  update(): void;
  close(): void;
  frame?(frame: StepFrame | SnapshotFrame): void;
  panelShown?(name: string): void;
}

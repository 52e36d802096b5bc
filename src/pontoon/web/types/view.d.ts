// Written by tools/view_types.py from the server's structures; do not edit.
// A field with a question mark is left out where it has its default. Commands are declared in page.d.ts.

interface StepFrame {
  type: "step";
  table: string;
  first: number;
  version: number;
  events: EventView[];
  room: RoomView;
  view: TableView;
  proofs?: Proof[];
}

interface EventView {
  type: string;
  facts?: Record<string, any>;
  clauses?: string[];
  words?: string;
}

interface RoomView {
  id: string;
  name: string;
  digest: string;
  made_by: string;
  waits?: string;
  players?: string[];
  clock?: number;
  card?: number;
  paused?: string;
  passed?: string[];
  bots?: BotView[];
  proposals?: ProposalView[];
  practice?: boolean;
  own_chips?: boolean;
  private?: boolean;
  lesson?: boolean;
  overrides?: Record<string, string | number | boolean | (string | number)[]>;
  heat?: HeatView | null;
}

interface BotView {
  player: string;
  box: number;
  kind: string;
}

interface ProposalView {
  number: number;
  by: string;
  role: string;
  what: string;
}

interface HeatView {
  tournament: string;
  session: number;
  table: number;
  name: string;
  round: number;
  rounds: number;
  marker: number;
  order: number[];
  chips: [string, number][];
  open: boolean;
  extra: number;
  ended: boolean;
}

interface TableView {
  rulebook: string;
  packs: number;
  device: "batch" | "continuous" | "manual" | "shuffling_shoe";
  mode: string;
  phase: "closed" | "collect" | "cut" | "preparing" | "ready" | "round" | "shuffled";
  limits: LimitsView;
  cloth: ClothView;
  shoe: ShoeView;
  waits: WaitsView;
  number?: number;
  due?: string;
  cut?: CutView | null;
  seats?: SeatView[];
  round?: RoundView | null;
  side_wagers?: string[];
  face_down?: boolean;
  joker?: boolean;
  failed?: boolean;
  closing?: string;
  rounds_left?: number;
  owed?: [string, number][];
  notices?: string[];
}

interface LimitsView {
  minimum?: number;
  maximum?: number;
  smallest_chip?: number;
  box_maximum?: number;
  increment?: number;
  for_box?: boolean;
}

interface ClothView {
  title: string;
  boxes: number;
  cards: number;
  multiple: number;
  inscriptions: InscriptionView[];
  side?: SideOfferView[];
  bonus?: OddsView[];
  full_double?: boolean;
}

interface InscriptionView {
  name: string;
  text: string;
}

interface SideOfferView {
  name: string;
  title: string;
  odds?: OddsView[];
  minimum?: number;
  maximum?: number;
  multiple?: number;
}

interface OddsView {
  title: string;
  odds: string;
}

interface ShoeView {
  number?: number;
  left?: number;
  gone?: number;
  discards?: number;
  cutting_card?: string;
  behind?: number;
  came?: string;
  seed_hash?: string;
  root?: string;
}

interface WaitsView {
  actor: "bettors" | "controller" | "dealer" | "nobody" | "players";
  players?: string[];
  card_to?: [number, number] | null;
}

interface CutView {
  by: string;
  least: number;
  most: number;
  offered?: string[];
}

interface SeatView {
  box: number;
  player: string;
  idle?: number;
  restricted?: boolean;
  maximum?: number;
}

interface RoundView {
  stage:
    | "card"
    | "dealer"
    | "decision"
    | "ended"
    | "first_card"
    | "forfeit"
    | "initial_deal"
    | "insurance"
    | "surrender"
    | "wagers"
    | "withdraw";
  boxes?: BoxView[];
  dealer?: DealerView | null;
  turn?: [number, number] | null;
  offer?: string;
  late?: boolean;
  joining?: string;
  exposed?: string;
  choices?: ChoiceView[];
  insurable?: InsurableView[];
  side?: SideView[];
  insurance?: InsuranceView[];
  bonuses?: BonusView[];
}

interface BoxView {
  number: number;
  controller: string;
  bettors: BettorView[];
  hands?: HandView[];
}

interface BettorView {
  player: string;
  stake: number;
}

interface HandView {
  cards: string[];
  wagers: WagerView[];
  total?: number;
  soft?: boolean;
  words?: string;
  row?: string;
  doubled?: boolean;
  sideways?: number;
  split?: boolean;
  stood?: boolean;
  absent?: boolean;
  skipped?: boolean;
}

interface WagerView {
  player: string;
  stake: number;
  double?: number;
  result?: string;
  surrendered?: boolean;
  kept?: boolean;
  rides?: boolean;
  settled?: SettlementView[];
}

interface SettlementView {
  result: string;
  net: number;
  words: string;
  clauses: string[];
  odds?: string;
  kind?: string;
}

interface DealerView {
  cards: string[];
  total: number;
  words: string;
  soft?: boolean;
}

interface ChoiceView {
  box: number;
  player: string;
  allowed?: Command[];
  refused?: RefusedView[];
  question?: string;
  unusual?: Record<string, string>;
}

interface RefusedView {
  command: Command;
  code: string;
  clauses: string[];
  words: string;
  facts?: Record<string, any>;
}

interface InsurableView {
  box: number;
  player: string;
  most: number;
}

interface SideView {
  box: number;
  player: string;
  kind: string;
  stake: number;
  settled?: SettlementView[];
}

interface InsuranceView {
  box: number;
  player: string;
  owner_box: number;
  owner: string;
  amount: number;
  settled?: SettlementView[];
}

interface BonusView {
  box: number;
  player: string;
  settled: SettlementView[];
}

interface Proof {
  index: number;
  size: number;
  card: string;
  salt: string;
  path: string[];
}

interface SnapshotFrame {
  type: "snapshot";
  table: string;
  version: number;
  room: RoomView;
  view: TableView;
  left?: number;
}

interface WelcomeFrame {
  type: "welcome";
  name: string;
  role: string;
  guest: boolean;
  wallet: number;
  practice?: number;
  given?: number;
}

interface ReplyFrame {
  type: "done";
  key: string;
  version: number;
  table: string;
}

interface ProblemFrame {
  type: "problem";
  key: string;
  status: number;
  code: string;
  words: string;
  clauses?: string[];
  facts?: Record<string, any>;
}

interface WalletFrame {
  type: "wallet";
  wallet: number;
  practice?: number;
  given?: number;
}

interface TournamentFrame {
  type: "tournament";
  tournament: string;
  version: number;
}

interface NoticeFrame {
  type: "notice";
  words: string;
  table?: string;
  clauses?: string[];
  code?: string;
  facts?: Record<string, any>;
}

interface EmoteFrame {
  type: "emote";
  table: string;
  player: string;
  emote: "good_luck" | "lucky" | "ouch" | "thanks" | "thinking" | "well_played";
}

interface PongFrame {
  type: "pong";
  at: number;
}

interface SignedIn {
  name: string;
  role:
    | "administrator"
    | "casino_supervisor"
    | "dealer"
    | "game_supervisor"
    | "inspector"
    | "player"
    | "tournament_director";
  guest: boolean;
  token: string;
  wallet: number;
}

interface Console {
  version: number;
  act: ActView;
  payments: PaymentView[];
  none_left: string[];
  undo: UndoView | null;
  tray: number | null;
  off: number;
  patrons: PatronRow[];
  incident: number;
  discards: string[];
  dealer: string;
  happened: string[];
  others: OtherAct[];
}

interface ActView {
  kind: "announce" | "ask" | "deal" | "prepare" | "wait";
  words: string;
  detail: string;
  then: string[];
  clauses: string[];
  by: string;
  box: number;
  hand: number;
  command: any;
  other: any;
  field: string;
  least: number;
  most: number;
}

interface PaymentView {
  box: number;
  hand: number;
  player: string;
  act: "give_back" | "leave" | "pay" | "take" | "take_back";
  amount: number;
  stake: number;
  net: number;
  words: string;
  clauses: string[];
  kind: string;
  at_once: boolean;
}

interface UndoView {
  card: string;
  more: number;
}

interface PatronRow {
  player: string;
  box: number;
  chips: number;
}

interface OtherAct {
  words: string;
  command: Command;
}

interface Pit {
  at: number;
  tables: PitTable[];
  alerts: Alert[];
}

interface PitTable {
  id: string;
  name: string;
  rulebook: string;
  mode: string;
  minimum: number;
  maximum: number;
  phase: string;
  now: string;
  round: number;
  stakes: number[];
  turn: number;
  players: number;
  result: number;
  results: number[];
  tray: number | null;
  dealer: string;
  incidents: number;
  at: number;
  alerts: Alert[];
}

interface Alert {
  table: string;
  kind: "approval" | "called" | "float" | "large_win" | "long_pause" | "super_bonus" | "unusual";
  words: string;
  number: number;
}

interface IncidentList {
  incidents: IncidentRow[];
}

interface IncidentRow {
  table: string;
  number: number;
  at: number;
  round: number;
  words: string;
  people: string[];
  state: string;
  clauses: string[];
  moved: number;
}

interface Incident {
  row: IncidentRow;
  name: string;
  rulebook: string;
  shoe: number;
  dealer_rules: string;
  until: number;
  steps: IncidentStep[];
  decisions: string[];
  before: HandPicture[];
  after: HandPicture[];
  money: MoneyRow[];
  hash: string;
}

interface IncidentStep {
  version: number;
  at: number;
  by: string;
  role: string;
  did: string;
  words: string;
}

interface HandPicture {
  box: number;
  hand: number;
  players: string[];
  stake: number;
  cards: string[];
  words: string;
  results: string[];
}

interface MoneyRow {
  player: string;
  layout_before: number;
  layout_after: number;
  net_before: number;
  net_after: number;
  wallet: number;
}

interface FoundRounds {
  rounds: PastRound[];
  next: string | null;
}

interface PastRound {
  round: RoundRow;
  hands: HandPicture[];
  payments: PaymentView[];
  incidents: number[];
  rack: string[];
}

interface RoundRow {
  table: string;
  number: number;
  at: number;
  first: number;
  version: number;
  rulebook: string;
  players: PlayerLine[];
  void: boolean;
}

interface PlayerLine {
  player: string;
  staked: number;
  net: number;
}

interface RulebookList {
  rulebooks: RulebookRow[];
  usual: string;
  shipped: string[];
}

interface RulebookRow {
  name: string;
  title: string;
  place: string;
  nature: string;
  digest: string;
  packs: number[];
  usual_packs: number;
  devices: string[];
  side_wagers: string[];
  boxes: number;
  bettors: number;
  cutting_cards: number;
  joker: boolean;
  sealed: boolean;
  face_down: boolean;
}

interface RulebookText {
  rulebook: RulebookRow;
  chapters: Chapter[];
}

interface Chapter {
  section: string;
  heading: string;
  sentences: Sentence[];
}

interface Sentence {
  key: string;
  value: string;
  text: string;
  clauses: string[];
  note: string;
  was: string;
  applies: boolean;
}

interface ClauseText {
  rulebook: string;
  clause: string;
  words: string;
}

interface TableList {
  tables: TableRow[];
  next: string | null;
}

interface TableRow {
  id: string;
  name: string;
  rulebook: string;
  title: string;
  packs: number;
  mode: string;
  phase: string;
  minimum: number;
  maximum: number;
  seated: number;
  boxes: number;
  watchers: number;
  card: number;
  decision: number;
  closing: string;
  paused: boolean;
  practice: boolean;
  here: boolean;
}

interface MadeTable {
  id: string;
  link: string;
}

interface PracticeHand {
  room: RoomView;
  view: TableView;
  events: EventView[];
  over: boolean;
  net: number;
}

interface DrillList {
  drills: DrillRow[];
}

interface DrillRow {
  position: string;
  area: string;
  cell: string;
  hand: string[];
  dealer: string;
  may: string[];
  words: string;
  title: string;
}

interface DrillAnswer {
  status: string;
  drill: DrillRow;
  stake: number;
  choices: ChoiceWorth[];
  why: string;
  square: Square | null;
}

interface ChoiceWorth {
  action: string;
  value: number;
  cents: number;
  clauses: string[];
}

interface Square {
  block: string;
  row: string;
  column: string;
  code: string;
  action: string;
}

interface CountTags {
  status: string;
  packs: number;
  tags: [string, number][];
  words: string;
  pack: string[];
}

interface CountPlays {
  status: string;
  plays: CountPlay[];
}

interface CountPlay {
  position: string;
  words: string;
  before: number;
  cards: string[];
  hand: string[];
  dealer: string;
  may: string[];
  running: number;
  packs_left: number;
  true_count: number;
  best: string;
  basic: string;
  rule: string;
}

interface Lesson {
  rulebook: string;
  hands: LessonHand[];
}

interface LessonHand {
  title: string;
  cards: string;
  end: string;
  step: Step[];
}

interface Step {
  say: string;
  tap: string;
}

interface RoundPage {
  rounds: RoundRow[];
  next: string | null;
}

interface RoundSteps {
  round: RoundRow;
  steps: PastStep[];
  next: number | null;
}

interface PastStep {
  version: number;
  at: number;
  by: string;
  events: EventView[];
  room: RoomView;
  view: TableView;
}

interface RoundHands {
  hands: HandPicture[];
}

interface ShoeList {
  shoes: ShoeRow[];
}

interface ShoeRow {
  number: number;
  shoe: string;
  packs: number;
  dealt: number;
  revealed: boolean;
}

interface ShoeRecord {
  format: "pontoon shoe 1";
  shoe: string;
  packs: number;
  seed_hash: string;
  players: Player[];
  root: string | null;
  cut: number | null;
  cutting_card: number | null;
  burned: number[];
  dealt: Proof[];
  seed: string | null;
}

interface Player {
  name: string;
  seal: string;
  seed: string | null;
}

interface CoachAnswer {
  status: string;
  version: number;
  basis: string;
  actions: ActionRow[];
  decisions: DecisionRow[];
  edge: EdgeRow | null;
  box: number;
  hand: number;
  cards: string[];
  dealer: string;
  stake: number;
  square: Square | null;
  why: string;
}

interface ActionRow {
  action: string;
  value: number;
  cents: number;
  best: boolean;
  chart: boolean;
  clauses: string[];
}

interface DecisionRow {
  box: number;
  hand: number;
  cards: string[];
  dealer: string;
  chosen: string;
  best: string;
  cost: number;
  cents: number;
}

interface EdgeRow {
  house_edge: number;
  deviation: number;
  stake: number;
  pace: number;
  hour: number;
}

interface CoachRound {
  status: string;
  number: number;
  staked: number;
  net: number;
  expected: number;
  cost: number;
  decisions: DecisionRow[];
}

interface Preparing {
  status: string;
}

interface AsIfAll {
  played: AsIf;
  rulebooks: AsIf[];
}

interface AsIf {
  rulebook: string;
  status: "impossible" | "open" | "refused" | "settled";
  players: Record<string, number>;
  differences: Record<string, number>;
  wagers: WagerResult[];
  dealer?: string[];
  dealer_words?: string;
  line?: string;
  code?: string;
  why?: string;
  clauses?: string[];
  notes?: string[];
}

interface WagerResult {
  player: string;
  box: number;
  hand: number;
  kind: string;
  stake: number;
  result: string;
  odds: string;
  net: number;
  words: string;
  clauses: string[];
}

interface RoundReview {
  status: string;
  table: string;
  number: number;
  at: number;
  rulebook: string;
  staked: number;
  net: number;
  expected: number;
  cost: number;
  decisions: number;
  mistakes: Mistake[];
}

interface Mistake {
  box: number;
  cards: string[];
  dealer: string;
  words: string;
  area: string;
  chosen: string;
  best: string;
  cents: number;
  why: string;
  position: string;
}

interface Profile {
  name: string;
  public: boolean;
  total: AreaFigures;
  areas: AreaFigures[];
}

interface AreaFigures {
  area: string;
  decisions: number;
  right: number;
  cost: number;
}

interface Leaderboard {
  fewest: number;
  places: Place[];
}

interface Place {
  name: string;
  decisions: number;
  right: number;
  cost: number;
}

interface SharedLink {
  id: string;
  link: string;
  embed: string;
  named: boolean;
}

interface Verdicts {
  status: string;
  verdicts: (Verdict | null)[];
}

interface Verdict {
  player: string;
  box: number;
  hand: string[];
  dealer: string;
  chosen: string;
  best: string;
  cost: number;
  choices: VerdictChoice[];
  why: string;
  clauses: string[];
  position: string;
}

interface VerdictChoice {
  action: string;
  cents: number;
}

interface SharedHand {
  title: string;
  line: string;
  rulebook: string;
  published: boolean;
  packs: number;
  player: string;
  net: number;
  view: TableView;
  steps: SharedStep[];
  cards: string[];
  dealer: string[];
}

interface SharedStep {
  label: string;
  player: string;
  words: string;
  events: EventView[];
  round: RoundView;
  decision?: number;
}

interface SharedProof {
  root: string;
  seed_hash: string;
  revealed: boolean;
  cards: Proof[];
}

interface Rulings {
  version: number;
  rulings: RulingRow[];
  errors: ErrorRow[];
  happened: Happened[];
}

interface RulingRow {
  what: string;
  command: Command;
  lawful: boolean;
  second?: boolean;
  clauses?: string[];
  code?: string;
  why?: string;
  facts?: Record<string, any>;
  needs?: string[];
  words?: string;
  about?: string;
  means?: string;
}

interface ErrorRow {
  kind: string;
  words: string;
  silent: boolean;
  says: string;
  clauses: string[];
  approval: string[];
}

interface Happened {
  name: string;
  words: string;
  errors: string[];
}

interface RulingPreview {
  version: number;
  lawful: boolean;
  second?: boolean;
  clauses?: string[];
  code?: string;
  why?: string;
  facts?: Record<string, any>;
  players?: MoneyRow[];
  words?: string;
  before?: HandPicture[];
  after?: HandPicture[];
  check?: string;
  approvers?: string[];
}

interface Remedies {
  ruling: Record<string, any>;
}

interface TournamentList {
  tournaments: TournamentRow[];
  next: string | null;
}

interface TournamentRow {
  id: string;
  name: string;
  phase: string;
  words: string;
  start: number;
  fee: number;
  chips: number;
  players: number;
  most: number;
  session: number;
  sessions: number;
  pool: number;
  director: string;
}

interface TournamentView {
  id: string;
  version: number;
  name: string;
  phase: string;
  words: string;
  director: string;
  digest: string;
  published: string[];
  format: string;
  agreement: boolean;
  groups: string;
  fee: number;
  commission: number;
  buy_back: number;
  chips: number;
  minimum: number;
  maximum: number;
  least: number;
  most: number;
  reserves: number;
  pool: number;
  prizes: number[];
  start: number;
  seed_hash: string;
  seed: string;
  session: number;
  sessions: SessionRow[];
  players: PlayerRow[];
  tables: TournamentTable[];
  standings: StandingRow[];
  leading: string[];
  results: SessionResult[];
  payments: PaymentRow[];
  ties: TieRow[];
  waiting: WaitingRow[];
  appeals: AppealRow[];
  pause: number;
  pause_ends: number;
  pace: number;
  may: string[];
  mine: Mine | null;
  history: ChipLine[];
  told: Told[];
  duties: DutyRow[];
  rulebook: string;
}

interface SessionRow {
  number: number;
  name: string;
  kind: string;
  length: string;
  starts: string;
}

interface PlayerRow {
  name: string;
  group: string;
  status: string;
  seated: boolean;
  chips: number;
  table: number;
  box: number;
  points: string;
  place: number;
  bought_back: number;
}

interface TournamentTable {
  table: number;
  room: string;
  rounds: number;
  length: number;
  marker: number;
  seats: SeatRow[];
  ended: boolean;
}

interface SeatRow {
  box: number;
  player: string;
  chips: number;
  seated: boolean;
}

interface StandingRow {
  place: number;
  player: string;
  chips: number;
  table: number;
  points: string;
  prize: number;
}

interface SessionResult {
  session: number;
  name: string;
  standings: StandingRow[];
  advanced: string[];
}

interface PaymentRow {
  number: number;
  player: string;
  amount: number;
  place: number;
  session: number;
  paid: boolean;
}

interface TieRow {
  players: string[];
  by: string;
  rooms: string[];
}

interface WaitingRow {
  by: string;
  what: string;
}

interface AppealRow {
  number: number;
  player: string;
  reason: string;
  outcome: string;
  decision: string;
}

interface Mine {
  status: string;
  chips: number;
  table: number;
  box: number;
  seated: boolean;
  room: string;
  bought_back: number;
}

interface ChipLine {
  player: string;
  points: [number, number][];
}

interface Told {
  at: number;
  words: string;
  clauses: string[];
  type: string;
  facts: Record<string, any>;
}

interface DutyRow {
  role: string;
  what: string;
  words: string;
  clause: string;
  at: number;
}

interface MadeTournament {
  id: string;
  link: string;
}

interface ConditionsPaper {
  title: string;
  sections: PaperSection[];
  foot: string;
}

interface PaperSection {
  title: string;
  level: number;
  parts: PaperPart[];
}

interface PaperPart {
  words: string;
  rows: string[][];
  clause: string;
}

type Frame =
  | StepFrame
  | SnapshotFrame
  | WelcomeFrame
  | ReplyFrame
  | ProblemFrame
  | WalletFrame
  | TournamentFrame
  | NoticeFrame
  | EmoteFrame
  | PongFrame;

/** What one call of a verb costs; `FIGURES` says in which unit each is counted. */
export interface Figures {
  readonly roundTrips: number;
  readonly bytesSent: number;
  readonly statements: number;
  readonly statementsInside: number;
  readonly buffers: number;
  readonly planningBuffers: number;
  readonly walRecords: number;
  readonly walBytes: number;
  readonly rowVersions: number;
  readonly indexEntries: number;
}

export type FigureName = keyof Figures;

/** All figures in the order of the file, with their words for a report. */
export const FIGURES: Readonly<Record<FigureName, string>> = {
  roundTrips: 'round trips',
  bytesSent: 'bytes that the client sends',
  statements: 'statements that the client sends',
  statementsInside: 'statements inside functions',
  buffers: 'buffers touched',
  planningBuffers: 'buffers touched to plan',
  walRecords: 'records of the write-ahead log',
  walBytes: 'bytes of the write-ahead log',
  rowVersions: 'row versions written, locked or deleted',
  indexEntries: 'index entries inserted',
};

export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[];

/** By the name of the case and its client: `enqueue, through Prisma`. */
export type Costs = Readonly<Record<string, Figures>>;

/** All figures in the order of the file, with their words for a report. */
export const FIGURES = {
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
} as const;

export type FigureName = keyof typeof FIGURES;

/** What one call of a verb costs; null: that is not the same in every run. */
export type Figures = Readonly<Record<FigureName, number | null>>;

export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[];

/** By the name of the case and its client: `enqueue, through Prisma`. */
export type Costs = Readonly<Record<string, Figures>>;

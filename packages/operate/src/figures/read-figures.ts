import { DueworkError, type Queryable, readNow } from '@duework/queue-core';
import { checkText, isMoment } from '@duework/queue-core/internals';
import { findFigures } from './sql/find-figures.js';
import { toFigures } from './to-figures.js';

/** Steps in seconds; from an hour on they are made of the hours' figures, which reach back for 90 days. */
export const FIGURE_STEPS = { '1m': 60, '5m': 300, '15m': 900, '1h': 3_600, '6h': 21_600, '1d': 86_400 } as const;
export type FigureStep = keyof typeof FIGURE_STEPS;

/** How long something took: half of all less than p50, 95 of 100 less than p95, each within a factor of two. */
export interface Times {
  readonly count: number;
  readonly meanMs: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** What became of the runs of one queue and type within one step. */
export interface Figures {
  /** When the step begins. */
  readonly at: Date;
  readonly queue: string;
  readonly type: string;
  /** Attempts that began, and how they ended; `failed` ones are tried again. */
  readonly claimed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly dead: number;
  readonly cancelled: number;
  readonly snoozed: number;
  /** From due to claimed. */
  readonly wait: Times;
  readonly run: Times;
  /** The most that was due, and ran, at one of the samples of each minute; null: no sample has seen the type. */
  readonly due: number | null;
  readonly running: number | null;
  /** The longest that a due run had waited at one of them. */
  readonly oldestWaitingSeconds: number | null;
}

export interface FiguresRequest {
  readonly queue?: string | undefined;
  readonly type?: string | undefined;
  /** Default: 60 steps ago. */
  readonly since?: Date | undefined;
  /** Default: a minute. */
  readonly step?: FigureStep | undefined;
}

/** The most lines of one answer. */
const MAX_STEPS = 1_500;

/**
 * The series of what workers did, by step, queue and type, oldest first. Steps in which nothing happened are left out.
 * Workers write once a minute, so the last minute may still grow. Throws `invalid_option` for more than 1,500 steps.
 */
export async function readFigures(db: Queryable, request: FiguresRequest = {}): Promise<Figures[]> {
  const { queue, type, step = '1m' } = request;
  checkText('queue', queue ?? null, 63);
  checkText('type', type ?? null, 63);
  if (!Object.hasOwn(FIGURE_STEPS, step))
    throw new DueworkError('invalid_option', {
      option: 'step',
      expected: `one of ${Object.keys(FIGURE_STEPS).join(', ')}`,
      value: step,
    });
  const stepSeconds = FIGURE_STEPS[step];
  const nowMs = await readNow(db);
  const since = request.since ?? new Date(nowMs - 60 * stepSeconds * 1_000);
  if (!isMoment(since) || nowMs - since.getTime() > MAX_STEPS * stepSeconds * 1_000)
    throw new DueworkError('invalid_option', {
      option: 'since',
      expected: `a Date of at most ${MAX_STEPS} steps ago; longer steps reach further back`,
      value: since,
    });
  const table = stepSeconds < 3_600 ? 'minutes' : 'hours';
  const lines = await findFigures(db, { queue, type, since: since.toISOString(), stepSeconds, table });
  return lines.map(toFigures);
}

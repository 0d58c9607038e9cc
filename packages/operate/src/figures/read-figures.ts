import { DueworkError, type Queryable, readNow } from '@duework/queue-core';
import { checkText, isMoment } from '@duework/sql';
import type { Figures } from './figures.js';
import { planParts } from './plan-parts.js';
import { findFigures } from './sql/find-figures.js';
import { toFigures } from './to-figures.js';

/**
 * Steps in seconds; from an hour on they are made of the figures of hours and days, which are kept for 90 days. `whole`: all
 * from `since` on in one step.
 */
export const FIGURE_STEPS = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3_600,
  '6h': 21_600,
  '1d': 86_400,
  whole: null,
} as const;
export type FigureStep = keyof typeof FIGURE_STEPS;

export interface FiguresRequest {
  readonly queue?: string | undefined;
  readonly type?: string | undefined;
  /** Default: 60 steps ago. */
  readonly since?: Date | undefined;
  /** Default: a minute. */
  readonly step?: FigureStep | undefined;
  /** One line a step for all queues and types together, whose names are then empty. Default: one for each. */
  readonly isTogether?: boolean | undefined;
}

/** The most lines of one answer. */
const MAX_STEPS = 1_500;
/** What `whole` covers at most, and what it takes for its one step. */
const KEPT_SECONDS = 90 * 86_400;
const WHOLE_SECONDS = 2 ** 30;

/**
 * Counts of finished work by step, queue and type, oldest first, without empty steps. Workers write once a minute, and
 * failures sooner, so the last minute may still grow. Throws `invalid_option` for more than 1,500 steps, or more than
 * 90 days as a whole.
 */
export async function readFigures(db: Queryable, request: FiguresRequest = {}): Promise<Figures[]> {
  const { queue, type, step = '1m', isTogether = false } = request;
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
  const since = request.since ?? new Date(nowMs - (stepSeconds === null ? 3_600 : 60 * stepSeconds) * 1_000);
  const longestSeconds = stepSeconds === null ? KEPT_SECONDS + 3_600 : MAX_STEPS * stepSeconds;
  if (!isMoment(since) || nowMs - since.getTime() > longestSeconds * 1_000)
    throw new DueworkError('invalid_option', {
      option: 'since',
      expected:
        stepSeconds === null
          ? 'a Date of at most 90 days ago'
          : `a Date of at most ${MAX_STEPS} steps ago; longer steps may begin earlier`,
      value: since,
    });
  const lines = await findFigures(db, {
    queue,
    type,
    parts: planParts(since.getTime(), nowMs, stepSeconds === null ? null : stepSeconds * 1_000),
    stepSeconds: stepSeconds ?? WHOLE_SECONDS,
    isTogether,
  });
  return lines.map((line) => toFigures(stepSeconds === null ? { ...line, atMs: since.getTime() } : line));
}

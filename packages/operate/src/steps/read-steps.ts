import { DueworkError, type Queryable } from '@duework/queue-core';
import type { JobStep, StepPage } from './job-step.js';
import { findGraph } from './sql/find-graph.js';
import { findParent } from './sql/find-parent.js';
import { findSteps, type StepRow } from './sql/find-steps.js';
import { writeSentence } from './write-sentence.js';

/** At most 1,000 at once. `areValuesShown`: keys of signals and texts of errors have values of payloads in them. */
export interface StepPageOptions {
  readonly limit?: number;
  readonly cursor?: string | undefined;
  readonly areValuesShown?: boolean;
}

/** What a job has done and waits for, in the order in which it was asked for; of a job that there is. Throws `invalid_cursor`. */
export async function readSteps(
  db: Queryable,
  id: string,
  { limit = 100, cursor = '0-0', areValuesShown = true }: StepPageOptions = {},
): Promise<StepPage> {
  const [, seq, skip] = /^(\d{1,9})-(\d{1,4})$/.exec(cursor) ?? [];
  if (seq === undefined || skip === undefined) throw new DueworkError('invalid_cursor', { cursor });
  const from = { seq: Number(seq), skip: Number(skip) };
  const rows = await findSteps(db, id, { ...from, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return {
    steps: page.map((row) => toStep(row, areValuesShown)),
    nextCursor: rows.length > limit ? endOf(page, from) : null,
    parent: await findParent(db, id),
    graph: await findGraph(db, id),
  };
}

/** Two attempts may have asked for different steps as their nth: the next page begins behind those of this one. */
function endOf(page: readonly StepRow[], from: { readonly seq: number; readonly skip: number }): string {
  const { seq } = page.at(-1)!;
  const told = page.filter((row) => row.seq === seq).length;
  return `${seq}-${told + (seq === from.seq ? from.skip : 0)}`;
}

function toStep(row: StepRow, areValuesShown: boolean): JobStep {
  const { name, kind, awaited, until_ms, result, isLong, end, end_code, end_error, fence } = row;
  const isEnded = row.status !== 'waiting';
  const hasFailed = row.error !== null || (kind === 'child' && end !== null && end !== 'succeeded');
  const [signal = null, ...key] = kind === 'signal' ? (awaited ?? '').split(' ') : [awaited];
  const error =
    row.error ?? (end_code === null && end_error === null ? null : { code: end_code ?? '', message: end_error ?? '' });
  const step = {
    name,
    status: hasFailed ? 'failed' : isEnded ? 'done' : 'waiting',
    kind,
    of: signal,
    key: kind === 'signal' && areValuesShown ? key.join(' ') : null,
    since: isEnded ? null : new Date(row.done_ms),
    until: until_ms === null ? null : new Date(until_ms),
    result,
    isLong,
    end,
    error: error === null ? null : { code: error.code, message: areValuesShown ? error.message : null },
    beganAt: new Date(row.began_ms),
    doneAt: isEnded ? new Date(row.done_ms) : null,
    fence,
  } as const;
  return { ...step, sentence: writeSentence(step, row.has_result) };
}

import type { DoubtfulEffect, EffectCheck, UnrecordedJob } from '@duework/operate';
import { cleanText } from '../output/clean-text.js';
import { formatMoment } from '../output/format-moment.js';
import { formatTable } from '../output/format-table.js';
import { type Look, paint } from '../output/look.js';

const DOUBTS = {
  unknown: 'may have happened: look for the key on the other side, then retry the job and say whether it has',
  repeated: 'begun again after a try that may have happened: look for the key on the other side',
  undone: 'with a try that certainly did not happen',
} as const;

/** The verdict, what is in doubt, and what to look for. */
export function showEffectCheck(
  { sentence, isProven, doubts, unrecorded, unrecordedJobs, ...counts }: EffectCheck,
  look: Look,
): string {
  const parts = [`${paint(look, isProven ? 'green' : 'yellow', cleanText(sentence))}\n`];
  for (const doubt of ['unknown', 'repeated', 'undone'] as const) {
    const rows = doubts.filter((one) => one.doubt === doubt);
    if (rows.length > 0)
      parts.push(
        `\n${counts[doubt]} ${DOUBTS[doubt]}${more(counts[doubt], rows)}:\n${formatTable(['JOB', 'EFFECT', 'BEGUN', 'KEY'], rows.map(toRow), '', look)}`,
      );
  }
  if (unrecorded > 0)
    parts.push(
      `\n${unrecorded} without a recorded effect ${unrecorded === 1 ? 'has' : 'have'} run more than once, and may have acted twice${more(unrecorded, unrecordedJobs)}:\n` +
        formatTable(['JOB', 'STATUS', 'ATTEMPTS THAT DID NOT SUCCEED'], unrecordedJobs.map(toJobRow), '', look),
    );
  return parts.join('');
}

const more = (count: number, rows: readonly unknown[]): string =>
  count > rows.length ? `, the first ${rows.length}` : '';

const toRow = ({ jobId, name, startedAt, lookFor }: DoubtfulEffect): string[] => [
  jobId,
  name,
  formatMoment(startedAt),
  lookFor,
];

const toJobRow = ({ jobId, status, attempts }: UnrecordedJob): string[] => [
  jobId,
  status,
  attempts
    .map(
      ({ attempt, outcome, errorCode, finishedAt, worker }) =>
        `${attempt} ${errorCode ?? outcome} ${formatMoment(finishedAt)} on ${worker}`,
    )
    .join(', '),
];

import type { StepPage } from '@duework/operate';
import { formatMoment } from '../output/format-moment.js';
import { formatTable } from '../output/format-table.js';
import type { Look } from '../output/look.js';

const STYLES = { waiting: undefined, done: 'green', failed: 'red' } as const;

/** What a job has done and waits for; nothing where that is nothing. */
export function showSteps({ steps, nextCursor }: StepPage, look: Look): string {
  if (steps.length === 0) return '';
  const rows = steps.map(({ name, status, doneAt, sentence }) => [
    name,
    { text: status, style: STYLES[status] },
    doneAt === null ? '' : formatMoment(doneAt),
    sentence === status ? '' : sentence,
  ]);
  return `\n${formatTable(['STEP', 'STATUS', 'ENDED', 'WHAT'], rows, '', look)}${nextCursor === null ? '' : '… and more\n'}`;
}

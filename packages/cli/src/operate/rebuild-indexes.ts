import { parseDatabaseUrl } from '@duework/database';
import { formatBytes, type BloatLimits, type IndexCare, type LeftReason } from '@duework/operate';
import { FINDING } from '../exit-codes.js';
import { openProgressLine } from '../output/open-progress-line.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import type { IndexesGiven } from './add-indexes.js';
import { careForIndexes, openOwnerSession } from './index-verbs.js';

/** Rebuilds the indexes of a database, and says what became of each. Throws `index_care_running`, `interrupted`. */
export async function rebuildIndexes(
  parts: CommandParts,
  url: string,
  { limits, reason, json }: IndexesGiven & { readonly limits: Partial<BloatLimits> },
): Promise<void> {
  const { actor, otherDb, onSignal, write, exitWith } = parts;
  const { label } = parseDatabaseUrl(url);
  const stopping = new AbortController();
  onSignal(() => stopping.abort());
  const session = await openOwnerSession(url, 'duework-indexes');
  const line = openProgressLine(parts, false);
  let care: IndexCare | null;
  try {
    care = await careForIndexes(session, {
      limits,
      act: { by: actor, via: 'command', reason },
      cancelThrough: await otherDb(url),
      signal: stopping.signal,
      onProgress: ({ name, bytes }, { number, of }) =>
        line.step(`Rebuilding ${name} (${formatBytes(bytes)}), ${number} of ${of} …`),
    });
  } finally {
    line.end();
    await session.close();
  }
  if (care === null)
    throw new PlainError(
      'index_care_running',
      `The indexes of ${label} are being rebuilt by another program. Wait for its end: npx duework indexes shows it.`,
    );
  if (care.left.length > 0) exitWith(FINDING);
  write(json ? `${JSON.stringify({ database: label, ...care }, null, 2)}\n` : tell(care, label));
  if (stopping.signal.aborted)
    throw new PlainError('interrupted', 'Interrupted. What is rebuilt stays; begin again at any time.');
}

const REASONS: Readonly<Record<LeftReason, string>> = {
  snapshot_open: 'it would have waited for',
  lock_held: 'it gave up waiting for',
  too_slow: 'it took too long',
  not_smaller: 'its last rebuild has not made it smaller',
  interrupted: 'interrupted',
};

function tell({ rebuilt, dropped, left }: IndexCare, label: string): string {
  if (rebuilt.length + dropped.length + left.length === 0) return `No index of ${label} needs it.\n`;
  return [
    ...dropped.map((name) => `${name} was left over, and is dropped.\n`),
    ...rebuilt.map(
      ({ name, beforeBytes, afterBytes }) =>
        `${name} is rebuilt: ${formatBytes(beforeBytes)} became ${formatBytes(afterBytes)}.\n`,
    ),
    ...left.map(({ name, reason, who }) => {
      const isWaiting = reason === 'snapshot_open' || reason === 'lock_held';
      return `${name} is left as it was: ${REASONS[reason]}${isWaiting ? ` ${who ?? 'a transaction that has ended'}` : ''}.\n`;
    }),
  ].join('');
}

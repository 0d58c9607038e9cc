import type { SlotsChange } from '@duework/operate';
import type { Operations } from '../operations/operations.js';
import { PlainError } from '../plain-error.js';
import { checkKnown } from './check-known.js';

interface Given {
  readonly slots?: number;
  readonly takeBack?: true;
  readonly preview?: true;
  readonly unknown?: true;
  readonly reason?: string;
}

/** Changes how many jobs the workers of a queue run at once, or previews it; what there is to say of it. */
export async function changeSlots(
  queue: Pick<Operations, 'changeSlots' | 'readWorkers'>,
  name: string,
  { slots, takeBack, preview, unknown, reason }: Given,
): Promise<string> {
  if ((slots === undefined) === (takeBack === undefined))
    throw new PlainError('invalid_option', 'Give either --slots with a number, or --take-back.');
  if (unknown !== true) await checkKnown(queue, { kind: 'queue', name }, 'change');
  const change = await queue.changeSlots(name, slots ?? null, { isPreview: preview === true, reason });
  const now = preview ? '' : ' Workers follow within seconds, and running jobs go on.';
  const back = preview || takeBack ? '' : ` Take it back: npx duework workers change ${name} --take-back`;
  return `${describe(change)}${now}${back}\n${warn(change)}`;
}

/** `4 workers of mail: 10 → 20 slots each, 40 → 80 in all.` */
function describe({ queue, workers, before, after }: SlotsChange): string {
  const each = [...new Set(workers.map((worker) => `${worker.before ?? '?'} → ${worker.after ?? '?'}`))];
  return `${workers.length} ${workers.length === 1 ? 'worker' : 'workers'} of ${queue}: ${each.join(', ') || 'no'} slots each, ${before} → ${after} in all.`;
}

const warn = ({ before, after, maxConnections }: SlotsChange): string =>
  after > before && after > maxConnections * 0.8
    ? `The server allows ${maxConnections} connections: if handlers use it, give their pools fewer, or a pooler.\n`
    : '';

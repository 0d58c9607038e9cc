import { nameSome } from '@duework/database';
import type { Operations, PauseTarget } from '../operations/operations.js';
import { PlainError } from '../plain-error.js';

/** Throws where workers live and none knows that name: a slip in a name pauses nothing, and nobody would see it. */
export async function checkKnown(
  queue: Pick<Operations, 'readWorkers'>,
  { kind, name }: PauseTarget,
  verb = 'pause',
): Promise<void> {
  if (kind === 'schedule') return;
  const workers = await queue.readWorkers();
  const known = [...new Set(workers.flatMap((worker) => (kind === 'queue' ? worker.queues : typesOf(worker))))].sort();
  if (workers.length === 0 || known.includes(name)) return;
  throw new PlainError(
    'unknown_name',
    `No running worker knows a ${kind} ${name}, only ${nameSome(known)}. To ${verb} it anyway, add --unknown.`,
  );
}

const typesOf = ({ types }: Awaited<ReturnType<Operations['readWorkers']>>[number]): string[] =>
  types.map(({ type }) => type);

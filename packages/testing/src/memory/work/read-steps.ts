import type { StepStore } from '@duework/queue-core/ports';
import type { MemoryTables, MemoryWait } from '../tables/memory-tables.js';
import { becomeStep } from './end-wait.js';

/**
 * What a run has done, in the order in which it was done, and what it waits for; values of the reader's own. What has
 * arrived comes behind all that is known, from the claim on that reads it first.
 */
export function readSteps(
  tables: MemoryTables,
  id: string,
  fence: number,
): Awaited<ReturnType<StepStore['readSteps']>> {
  const isOwner = tables.owned(id, fence) !== undefined;
  const done = (): number[] => Array.from(tables.steps.get(id)?.values() ?? [], ({ doneSeq }) => doneSeq);
  const arrived = [...(tables.waits.get(id)?.values() ?? [])].filter(({ arrivedAt }) => arrivedAt !== null);
  arrived.sort((a, b) => a.arrivedAt! - b.arrivedAt!);
  if (isOwner) for (const wait of arrived) becomeStep(tables, id, wait, Math.max(0, ...done()) + 1);
  const isWaiting = ({ arrivedAt }: MemoryWait): boolean => arrivedAt === null;
  return {
    done: structuredClone([...(tables.steps.get(id)?.values() ?? [])]).sort((a, b) => a.doneSeq - b.doneSeq),
    waits: [...(tables.waits.get(id)?.values() ?? [])].filter(isWaiting).map(({ name, wakesAtMs }) => ({
      name,
      wakesAt: wakesAtMs === null ? null : new Date(wakesAtMs).toISOString(),
    })),
  };
}

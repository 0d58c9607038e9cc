import type { NewSignal } from '@duework/queue-core/ports';
import type { MemoryTables } from '../tables/memory-tables.js';
import { arrive } from './arrive.js';
import { wakeRun } from './wake-run.js';

/** Sends a signal to the run that has waited longest for it, or keeps it for the first that will; whether one waited. */
export function sendSignal(tables: MemoryTables, { name, key, payloadJson }: NewSignal): boolean {
  const awaited = `${name} ${key}`;
  const all = [...tables.waits].flatMap(([id, waits]) => [...waits.values()].map((wait) => ({ id, wait })));
  const waiting = all.filter(
    ({ id, wait }) =>
      wait.awaits === 'signal' && wait.awaited === awaited && wait.arrivedAt === null && tables.live.has(id),
  );
  const [first] = waiting.sort((a, b) => a.wait.number - b.wait.number);
  if (first === undefined) {
    tables.signals.set(awaited, [...(tables.signals.get(awaited) ?? []), { payloadJson, sentAtMs: tables.nowMs() }]);
    return false;
  }
  wakeRun(tables, first.id);
  arrive(tables, first.id, first.wait.name, payloadJson);
  return true;
}

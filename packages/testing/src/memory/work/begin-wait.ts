import type { NewWait, WaitAnswer } from '@duework/queue-core/ports';
import type { MemoryTables, MemoryWait } from '../tables/memory-tables.js';
import { arrive } from './arrive.js';
import { endingOf } from './tell-ended.js';

/** Begins a wait, only while this claim owns the run and the run has no such step. */
export function beginWait(tables: MemoryTables, { id, fence, ...wait }: NewWait): WaitAnswer {
  if (tables.owned(id, fence) === undefined) return { kind: 'lost' };
  if (tables.steps.get(id)?.has(wait.name) === true) return { kind: 'done' };
  const known = tables.waits.get(id)?.get(wait.name) ?? add(tables, id, wait);
  if (known.arrivedAt !== null) return { kind: 'done' };
  const given = findGiven(tables, wait);
  if (given === null) {
    tables.waits.get(id)!.delete(wait.name);
    return { kind: 'unknown' };
  }
  if (given !== undefined) {
    arrive(tables, id, wait.name, given);
    return { kind: 'done' };
  }
  return { kind: 'waiting', wakesAt: known.wakesAtMs === null ? null : new Date(known.wakesAtMs).toISOString() };
}

type Wait = Omit<NewWait, 'id' | 'fence'>;

function add(tables: MemoryTables, id: string, { afterMs, until, ...wait }: Wait): MemoryWait {
  const wakesAtMs = until !== null ? Date.parse(until) : afterMs !== null ? tables.nowMs() + afterMs : null;
  const added: MemoryWait = { ...wait, wakesAtMs, number: tables.nextNumber(), arrivedAt: null, arrivedJson: null };
  const waits = tables.waits.get(id) ?? new Map<string, MemoryWait>();
  tables.waits.set(id, waits.set(wait.name, added));
  if (wait.awaits === 'child')
    tables.children.set(id, (tables.children.get(id) ?? new Map<string, string>()).set(wait.name, wait.awaited!));
  return added;
}

/** The text of what ends the wait and is there already; undefined: it is yet to come. null: it never will. */
function findGiven(tables: MemoryTables, { awaits, awaited }: Wait): string | null | undefined {
  if (awaits === 'signal') return takeSignal(tables, awaited!);
  if (awaits === null) return undefined;
  const run = tables.history.get(awaited!);
  if (run !== undefined) return endingOf(run);
  return tables.live.has(awaited!) ? undefined : null;
}

function takeSignal(tables: MemoryTables, awaited: string): string | undefined {
  const [first, ...others] = tables.signals.get(awaited) ?? [];
  if (others.length === 0) tables.signals.delete(awaited);
  else tables.signals.set(awaited, others);
  return first?.payloadJson;
}

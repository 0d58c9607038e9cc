import type { FlowRule } from '@duework/contracts';
import type { MemoryRun } from '../../memory/tables/memory-run.js';
import type { MemoryTables } from '../../memory/tables/memory-tables.js';
import { catalogToSimulate } from '../plan/contracts-to-simulate.js';

/**
 * The limits and orders of the simulated contracts, computed from the contracts, the payloads and the rows of runs: what
 * the store remembers of its gates is not asked.
 */

const rulesOf = new Map<string, readonly FlowRule[]>(catalogToSimulate.map(({ type, flow }) => [type, flow ?? []]));

/** Of which limit more is taken by leased runs than there is; null: of none. */
export function findExceededLimit(running: Iterable<MemoryRun>): string | null {
  const taken = new Map<string, { readonly max: number; readonly ids: string[]; units: number }>();
  for (const run of running) {
    for (const rule of rulesOf.get(run.type)!) {
      if (rule.kind !== 'limit') continue;
      const key = keyOf(rule, run);
      const known = taken.get(key) ?? { max: (rule.declared as { max: number }).max, ids: [], units: 0 };
      taken.set(key, known);
      known.ids.push(run.id);
      known.units += rule.units as number;
    }
  }
  for (const [key, { max, ids, units }] of taken)
    if (units > max) return `${key}: jobs ${ids.join(', ')} take ${units} of ${max}`;
  return null;
}

/**
 * Whom a run has overtaken that was claimed just now and let in at that moment, or with whom of its order it runs at once;
 * null: nobody. Whoever has begun keeps the order until he has ended; a run that comes back from the history begins anew.
 */
export function findOvertaken(run: MemoryRun, letInAtMs: number, { live }: Pick<MemoryTables, 'live'>): string | null {
  const key = orderOf(run);
  if (key === null) return null;
  for (const other of live.values()) {
    if (other === run || orderOf(other) !== key) continue;
    if (other.status === 'running') return `${key}: job ${run.id} is claimed while job ${other.id} runs`;
    const hasBegun = other.attempts > 0 || other.snoozedAtMs !== null;
    const wasBefore = other.number < run.number && other.runAtMs < letInAtMs;
    if (hasBegun || wasBefore) return `${key}: job ${run.id} is claimed before job ${other.id}`;
  }
  return null;
}

function orderOf(run: MemoryRun): string | null {
  const rule = rulesOf.get(run.type)!.find(({ kind }) => kind === 'order');
  return rule === undefined ? null : keyOf(rule, run);
}

function keyOf({ name, by }: FlowRule, run: MemoryRun): string {
  return by === null ? name : `${name}/${(JSON.parse(run.payloadJson) as { of: number }).of}`;
}

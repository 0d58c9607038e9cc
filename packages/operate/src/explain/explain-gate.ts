import type { Job, Queryable } from '@duework/queue-core';
import type { FlowKey, KeyHolder } from '../flow/flow-rule.js';
import { findFlowKeys } from '../flow/sql/find-flow-keys.js';
import type { GateHolder, Reason } from './explanation.js';
import { makeReason } from './make-reason.js';
import { findGate } from './sql/find-gate.js';

/** At which gate a due run waits, behind how many, and what it waits for there; nothing where it was let in. */
export async function explainGate(db: Queryable, { id }: Pick<Job, 'id'>, nowMs: number): Promise<Reason[]> {
  const gate = await findGate(db, id);
  if (gate === null || gate.kind === 'pause') return [];
  const { key, rule, kind, ahead, isAtLeast, terms } = gate;
  const [state] = await findFlowKeys(db, { rule, key, after: null, limit: 1 });
  const place = { key, ahead, isAtLeast };
  const holder = holderOf(state);
  if (kind !== 'breaker' && state !== undefined && state.closedUntil !== null)
    return [makeReason('gate_closed', { ...place, until: state.closedUntil })];
  switch (kind) {
    case 'limit':
      return [makeReason('held_by_limit', { ...place, max: terms?.max ?? null, used: state?.used ?? 0, holder })];
    case 'rate': {
      const nextAt = state?.nextAt ?? null;
      const inSeconds = nextAt === null ? 0 : Math.max(0, nextAt.getTime() - nowMs) / 1_000;
      return [
        makeReason('held_by_rate', {
          ...place,
          max: terms?.max ?? null,
          perMs: terms?.perMs ?? null,
          nextAt,
          inSeconds,
        }),
      ];
    }
    case 'order': {
      const { onFailure = 'wait', onDead = 'let_go' } = terms ?? {};
      return [makeReason('held_by_order', { ...place, head: holder, onFailure, onDead })];
    }
    case 'tenant':
      return [makeReason('held_by_tenant', { ...place, turnsBefore: gate.turnsBefore })];
    case 'breaker': {
      const breaker = state?.breaker ?? 'closed';
      return [
        makeReason('held_by_breaker', { ...place, state: breaker, until: state?.closedUntil ?? null, trying: holder }),
      ];
    }
  }
}

/** The run that has held the key for the longest time. */
function holderOf(state: FlowKey | undefined): GateHolder | null {
  const [first] = [...(state?.holders ?? [])].sort(
    (a: KeyHolder, b: KeyHolder) => a.since.getTime() - b.since.getTime(),
  );
  if (first === undefined) return null;
  const { id, type, status, since, lockedUntil } = first;
  return { id, type, status, since, lockedUntil };
}

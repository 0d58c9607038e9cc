import { getJob, type Job, type Queryable } from '@duework/queue-core';
import type { FlowKey } from '../flow/flow-rule.js';
import { findFlowKeys } from '../flow/sql/find-flow-keys.js';
import type { GateHolder, Reason } from './explanation.js';
import { makeReason } from './make-reason.js';
import { findCloser } from './sql/find-closer.js';
import { findGate } from './sql/find-gate.js';

/** At which gate a due run waits, behind how many, and what it waits for there; nothing where it was let in. */
export async function explainGate(db: Queryable, { id }: Pick<Job, 'id'>, nowMs: number): Promise<Reason[]> {
  const gate = await findGate(db, id);
  if (gate === null || gate.kind === 'pause') return [];
  const { key, rule, kind, ahead, isAtLeast, terms } = gate;
  const [state] = await findFlowKeys(db, { rule, key, after: null, limit: 1 });
  const place = { key, ahead, isAtLeast };
  const until = state?.closedUntil ?? null;
  if (until !== null) {
    const closer = await findCloser(db, { key, rule });
    if (closer !== null) return [makeReason('gate_closed', { ...place, until, source: 'operator', ...closer })];
    if (kind !== 'breaker')
      return [makeReason('gate_closed', { ...place, until, source: 'provider', by: null, reason: null })];
  }
  const holder = holderOf(state);
  switch (kind) {
    case 'limit':
      return [makeReason('held_by_limit', { ...place, max: terms?.max ?? null, used: state?.used ?? 0, holder })];
    case 'rate': {
      const nextAt = state?.nextAt ?? null;
      const inSeconds = nextAt === null ? 0 : Math.max(0, nextAt.getTime() - nowMs) / 1_000;
      const [max, perMs] = [terms?.max ?? null, terms?.perMs ?? null];
      const aboutSeconds = max === null || perMs === null ? null : inSeconds + (ahead * perMs) / max / 1_000;
      return [makeReason('held_by_rate', { ...place, max, perMs, nextAt, inSeconds, aboutSeconds })];
    }
    case 'order': {
      const { onFailure = 'wait', onDead = 'let_go' } = terms ?? {};
      const head = holder && { ...holder, heldBy: await whereHeld(db, holder) };
      return [makeReason('held_by_order', { ...place, head, onFailure, onDead })];
    }
    case 'tenant':
      return [makeReason('held_by_tenant', { ...place, turnsBefore: gate.turnsBefore })];
    case 'breaker': {
      const breaker = state?.breaker ?? 'closed';
      return [makeReason('held_by_breaker', { ...place, state: breaker, until, trying: holder })];
    }
  }
}

/** The run that has held the key for the longest time. */
function holderOf(state: FlowKey | undefined): GateHolder | null {
  const [first] = [...(state?.holders ?? [])].sort((a, b) => a.since.getTime() - b.since.getTime());
  if (first === undefined) return null;
  const { id, type, status, since, lockedUntil } = first;
  return { id, type, status, since, lockedUntil, heldBy: null };
}

/** At which gate the first of an order waits, which keeps its order there. */
async function whereHeld(db: Queryable, { id, status }: GateHolder): Promise<string | null> {
  return status === 'dead' ? null : (await getJob(db, id!)).job.heldBy;
}

import type { Clock } from '../clock.js';
import type { Claim, ClaimRequest } from '../ports/runs.js';
import { takeLooks } from '../sql/flow/take-looks.js';
import { takeTurns } from '../sql/flow/take-turns.js';
import type { Queryable } from '@duework/sql';
import type { TurnPace } from './turn-pace.js';

/**
 * Claims, and before that lets in who may go on at the gates: two statements, three where tenants take turns. A worker
 * none of whose types has gates only claims.
 *
 * Of tenants no more are let in at once than `pace` says, so that the first run of another waits for few.
 *
 * Each is a transaction of its own, because the locks of keys are taken in one order within each of them. What is let in
 * and not taken by this claim is taken by another worker, which hears of it.
 */
export async function claimBehindGates(
  db: Queryable,
  { contracts, queue, limit }: ClaimRequest,
  claim: () => Promise<Claim>,
  { clock, pace }: { readonly clock: Clock; readonly pace: TurnPace },
): Promise<Claim> {
  const kinds = new Set<string>();
  for (const { flow } of contracts.values()) for (const { kind } of flow ?? []) kinds.add(kind);
  if (kinds.size === 0) return claim();
  const begunMs = clock.monotonicMs();
  const lookInMs = await takeLooks(db);
  const room = kinds.has('tenant') ? pace.room(limit) : null;
  if (room !== null) await takeTurns(db, queue, room);
  const taken = await claim();
  if (room !== null) pace.learn(room, taken.runs.length, clock.monotonicMs() - begunMs);
  // the worker sleeps until the first of both moments
  const dueInMs = Math.min(taken.dueInMs ?? Infinity, lookInMs ?? Infinity);
  return { ...taken, dueInMs: dueInMs === Infinity ? null : dueInMs };
}

import type { Claim, ClaimRequest } from '../ports/runs.js';
import { takeLooks } from '../sql/flow/take-looks.js';
import { takeTurns } from '../sql/flow/take-turns.js';
import type { Queryable } from '@duework/sql';

/**
 * Claims, and before that lets in who may go on at the gates: two statements, three where tenants take turns. A worker
 * none of whose types has gates only claims.
 *
 * Each is a transaction of its own, because the locks of keys are taken in one order within each of them. What is let in
 * and not taken by this claim is taken by another worker, which hears of it.
 */
export async function claimBehindGates(
  db: Queryable,
  { contracts, queue, limit }: ClaimRequest,
  claim: () => Promise<Claim>,
): Promise<Claim> {
  const kinds = new Set<string>();
  for (const { flow } of contracts.values()) for (const { kind } of flow ?? []) kinds.add(kind);
  if (kinds.size === 0) return claim();
  const lookInMs = await takeLooks(db);
  if (kinds.has('tenant')) await takeTurns(db, queue, limit);
  const taken = await claim();
  // the worker sleeps until the first of both moments
  const dueInMs = Math.min(taken.dueInMs ?? Infinity, lookInMs ?? Infinity);
  return { ...taken, dueInMs: dueInMs === Infinity ? null : dueInMs };
}

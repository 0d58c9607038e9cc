/**
 * Rebuilds the indexes of Duework that are mostly empty, one after another, beside all work: REINDEX INDEX CONCURRENTLY.
 *
 * It waits for every transaction that was there before it, a few times over, and an own half-built index stays behind when it
 * fails. So it is not begun while a transaction lasts that it would wait for, gives up where one comes that lasts, and what it
 * leaves is dropped: by itself, or by whoever comes next where its session was ended.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readHorizonAge, type Act, type Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import { DOCTOR_LIMITS } from '../doctor/doctor-limits.js';
import type { IndexCare, LeftIndex, LeftReason, ListedIndex, RebuiltIndex } from './index-care.js';
import { listIndexes } from './list-indexes.js';
import { cancellable } from './cancellable.js';
import { auditIndex } from './sql/audit-index.js';
import { beginCare, type CareTimes } from './sql/begin-care.js';
import { dropIndex } from './sql/drop-index.js';
import { findBlockers, type Blocker } from './sql/find-blockers.js';
import { findRebuiltBytes } from './sql/find-rebuilt-bytes.js';
import { reindex } from './sql/reindex.js';
import type { BloatLimits } from './state-of-index.js';
import { toLeftReason } from './to-left-reason.js';

export interface CareOptions extends Partial<CareTimes> {
  readonly limits?: Partial<BloatLimits & { readonly pinnedSeconds: number }>;
  /** Who does it: each rebuilt and each dropped index has an entry in the audit. */
  readonly act?: Act;
  /** Sends cancels when the signal aborts, so it needs connections of its own. */
  readonly cancelThrough: Queryable;
  /** Ends the rebuild that runs, and cleans up after it. */
  readonly signal?: AbortSignal;
  /** Told before each rebuild. */
  readonly onProgress?: (index: ListedIndex, place: { readonly number: number; readonly of: number }) => void;
}

/** Longer than the second after which autovacuum makes way. */
const LOCK_TIMEOUT_MS = 2_000;
const LOOK_AGAIN_MS = 50;
const INDEX_TIMEOUT_MS = 15 * 60_000;
/** An index that is no larger than this many times what the last rebuild made of it would become as large again. */
const GROWN = 1.5;

/**
 * Drops what is left over of rebuilds, and rebuilds what is bloated or was never built to its end. null: another program does
 * that at this moment.
 *
 * @param session - one connection, which is no pooler's and no transaction, of the owner of the schema; it has the lock of
 *   whoever rebuilds until it is closed
 */
export async function careForIndexes(session: Queryable, options: CareOptions): Promise<IndexCare | null> {
  const { act = {}, limits = {}, signal, onProgress, cancelThrough } = options;
  const { lockTimeoutMs = LOCK_TIMEOUT_MS, indexTimeoutMs = INDEX_TIMEOUT_MS } = options;
  checkAct(act);
  const pid = await beginCare(session, { lockTimeoutMs, indexTimeoutMs });
  if (pid === null) return null;
  const rebuilt: RebuiltIndex[] = [];
  const dropped = new Set<string>();
  const left = new Map<string, LeftIndex>();
  const run = cancellable(pid, cancelThrough, signal);
  const leave = (name: string, reason: LeftReason, who: string | null = null): void =>
    void left.set(name, { name, reason, who });
  await dropLeftOvers();
  const wanted = (await listIndexes(session, limits))
    .filter(({ state }) => state === 'bloated' || state === 'unbuilt')
    .sort((a, b) => emptyOf(b) - emptyOf(a));
  for (const [place, index] of wanted.entries()) {
    if (signal?.aborted === true) {
      leave(index.name, 'interrupted');
      continue;
    }
    onProgress?.(index, { number: place + 1, of: wanted.length });
    await rebuild(index);
  }
  return { rebuilt, dropped: [...dropped], left: [...left.values()].filter(({ name }) => !dropped.has(name)) };

  async function rebuild({ name, table, state, bytes: beforeBytes }: ListedIndex): Promise<void> {
    const last = state === 'bloated' ? await findRebuiltBytes(session, name) : null;
    if (last !== null && beforeBytes < last * GROWN) return leave(name, 'not_smaller');
    const inWay = await findInWay(table);
    if (inWay !== null) return leave(name, 'snapshot_open', inWay);
    try {
      await run(() => reindex(session, name));
    } catch (error) {
      await leaveTo(error, name, table, signal);
      await dropLeftOvers();
      const after = (await listIndexes(session, limits)).find((one) => one.name === name);
      if (after?.state !== 'good') return;
      // only its last wait was too long, that before the old one goes
      left.delete(name);
    }
    const afterBytes = await auditIndex(session, act, { verb: 'rebuild_index', name, beforeBytes });
    rebuilt.push({ name, table, beforeBytes, afterBytes });
  }

  /** Throws an error that no reason is known for, such as that the session has ended. */
  async function leaveTo(error: unknown, name: string, table: string, by?: AbortSignal): Promise<void> {
    const reason = toLeftReason(error, by);
    leave(name, reason, (await findBlockers(session, table))[0]?.who ?? null);
  }

  /** Whose end a rebuild would wait for, or nobody: who is there now, and still is after the time that a rebuild waits. */
  async function findInWay(table: string): Promise<string | null> {
    // what it keeps would be built into the new index, too
    const ageSeconds = await readHorizonAge(session);
    if (ageSeconds >= (limits.pinnedSeconds ?? DOCTOR_LIMITS.pinnedSeconds))
      return `a snapshot that is ${Math.round(ageSeconds)} s old`;
    const first = new Set((await findBlockers(session, table)).map(({ transaction }) => transaction));
    let lasts: Blocker | undefined;
    for (let waitedMs = 0; first.size > 0 && waitedMs < lockTimeoutMs; waitedMs += LOOK_AGAIN_MS) {
      await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {});
      lasts = (await findBlockers(session, table)).find(({ transaction }) => first.has(transaction));
      if (lasts === undefined || signal?.aborted === true) break;
    }
    return lasts?.who ?? null;
  }

  async function dropLeftOvers(): Promise<void> {
    for (const { name, table, state, bytes: beforeBytes } of await listIndexes(session, limits)) {
      if (state !== 'left_over') continue;
      try {
        await dropIndex(session, name);
      } catch (error) {
        await leaveTo(error, name, table);
        continue;
      }
      await auditIndex(session, act, { verb: 'drop_index', name, beforeBytes });
      dropped.add(name);
    }
  }
}

const emptyOf = ({ bytes, neededBytes }: ListedIndex): number => bytes - (neededBytes ?? bytes);

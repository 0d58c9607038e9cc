import { DueworkError } from '@duework/queue-core';
import type { NewRun } from '@duework/queue-core/ports';
import { cancelRun } from './operate/cancel-run.js';
import type { MemoryRun } from './tables/memory-run.js';
import { keyOf, type MemoryTables } from './tables/memory-tables.js';

/** What becomes of a run of a contract that says what makes it one of a kind. */
export type UniqueVerdict =
  /** It is written; `dueMs` null: when it asks for. `endsMs`: until when its key holds; null: as long as its run. */
  | {
      readonly kind: 'write';
      readonly dueMs: number | null;
      readonly endsMs: number | null;
      readonly instead: MemoryRun | null;
    }
  /** The run that has the key gets the payload, the moment, or neither. */
  | { readonly kind: 'change'; readonly run: MemoryRun; readonly dueMs: number; readonly takesPayload: boolean }
  | { readonly kind: 'refuse'; readonly run: MemoryRun };

/** Decides as `duework.write_unique` does. */
export function judgeUnique(tables: MemoryTables, given: NewRun, dueMs: number, nowMs: number): UniqueVerdict {
  const { while: holds, perMs, onConflict, maxDelayMs } = given.unique!;
  const known = tables.keys.get(keyOf(given.type, given.key!));
  const run = known === undefined ? undefined : tables.find(known.runId);
  const isWaiting = run?.status === 'queued' || run?.status === 'failed';
  const isHolding = { kept: run !== undefined, alive: isWaiting || run?.status === 'running', waiting: isWaiting }[
    holds
  ];
  const endsMs =
    perMs === null ? null : onConflict === 'once_more' ? nowMs + perMs : (Math.floor(nowMs / perMs) + 1) * perMs;
  const heldToMs = known?.expiresAtMs ?? Infinity;
  if (run === undefined || !isHolding || heldToMs <= nowMs)
    return { kind: 'write', dueMs: null, endsMs, instead: null };
  switch (onConflict) {
    case 'refuse':
      return { kind: 'refuse', run };
    case 'cancel_running':
      return { kind: 'write', dueMs: null, endsMs, instead: run };
    case 'replace': {
      const latestMs = maxDelayMs === null ? Infinity : run.createdAtMs + maxDelayMs;
      return { kind: 'change', run, dueMs: Math.min(dueMs, latestMs), takesPayload: true };
    }
    case 'once_more': {
      // the one more; the first one keeps its payload, however long it waits for a worker
      if (isWaiting && run.runAtMs > nowMs && run.claimedAtMs === null)
        return { kind: 'change', run, dueMs: run.runAtMs, takesPayload: true };
      const atMs = Math.max(dueMs, heldToMs);
      return { kind: 'write', dueMs: atMs, endsMs: atMs + perMs!, instead: null };
    }
    case 'earliest': {
      const earlierMs = isWaiting ? Math.min(dueMs, run.runAtMs) : run.runAtMs;
      return { kind: 'change', run, dueMs: earlierMs, takesPayload: false };
    }
    case 'keep':
      return { kind: 'change', run, dueMs: run.runAtMs, takesPayload: false };
  }
}

/** Gives the run that has the key what the verdict says. */
export function changeHolder(
  tables: MemoryTables,
  { run, dueMs, takesPayload }: Extract<UniqueVerdict, { kind: 'change' }>,
  given: NewRun,
): void {
  if (run.status !== 'queued' && run.status !== 'failed') return;
  tables.leave(run);
  if (takesPayload)
    Object.assign(run, {
      payloadJson: given.payloadJson,
      version: given.version,
      metaJson: given.metaJson,
      gates: given.flow?.gates ?? null,
      gateUnits: given.flow?.units ?? null,
    });
  tables.wait(run, run.status, dueMs, run.gates?.[0] ?? null);
}

/** Ends the run that a newer one comes instead of, or asks its worker to. */
export function endHolder(tables: MemoryTables, run: MemoryRun): void {
  cancelRun(tables, run.id, 'newer', 'A newer job was enqueued with its key');
}

export function refuse({ id, type, status }: Pick<MemoryRun, 'id' | 'type' | 'status'>): never {
  throw new DueworkError('job_exists', { id, type, status });
}

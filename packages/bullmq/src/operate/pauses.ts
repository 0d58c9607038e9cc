import type { Act, NewPause, Pause, PauseKind } from '@duework/queue-core/ports';
import type { Queues } from '../redis/queues.js';

interface PauseRow {
  readonly kind: PauseKind;
  readonly name: string;
  readonly sinceMs: number;
  readonly until: string | null;
  readonly by: string | null;
  readonly reason: string | null;
}

const fieldOf = (kind: PauseKind, name: string): string => `${kind} ${name}`;

/** The pauses that hold at a moment, by kind and name. */
export async function readPauses(queues: Queues, nowMs: number): Promise<Pause[]> {
  const rows = Object.entries(await queues.redis.hgetall(queues.key('pauses')));
  return rows
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, text]) => JSON.parse(text) as PauseRow)
    .filter(({ until }) => until === null || Date.parse(until) > nowMs)
    .map(toPause);
}

function toPause({ sinceMs, until, ...same }: PauseRow): Pause {
  return { ...same, since: new Date(sinceMs), until: until === null ? null : new Date(until) };
}

export function isPaused(pauses: readonly Pause[], kind: PauseKind, name: string): boolean {
  return pauses.some((pause) => pause.kind === kind && pause.name === name);
}

/** Writes a pause; one that holds keeps its beginning. null: its end has passed. */
export async function writePause(queues: Queues, { kind, name, until, act }: NewPause): Promise<Pause | null> {
  const nowMs = Date.now();
  if (until !== null && Date.parse(until) <= nowMs) return null;
  const known = (await readPauses(queues, nowMs)).find((pause) => pause.kind === kind && pause.name === name);
  const sinceMs = known?.since.getTime() ?? nowMs;
  const row: PauseRow = { kind, name, sinceMs, until, by: act.by ?? null, reason: act.reason ?? null };
  await queues.redis.hset(queues.key('pauses'), fieldOf(kind, name), JSON.stringify(row));
  return toPause(row);
}

/** Ends a pause, and wakes the workers. null: there was none. */
export async function endPause(queues: Queues, kind: PauseKind, name: string, _act: Act): Promise<Pause | null> {
  const held = (await readPauses(queues, Date.now())).find((pause) => pause.kind === kind && pause.name === name);
  await queues.redis.hdel(queues.key('pauses'), fieldOf(kind, name));
  if (held === undefined) return null;
  queues.wake(kind === 'queue' ? name : null);
  return held;
}

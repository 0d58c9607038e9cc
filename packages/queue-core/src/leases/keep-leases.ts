/**
 * The code of the lease thread. Only heartbeats run here, so that a handler that blocks the worker's own event loop
 * keeps its lease, up to its time limit.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { pause, systemClock as clock } from '../clock.js';
import type { ExtendedLease, LeaseToExtend } from '../ports/runs.js';
import { LeaseHeartbeat } from './lease-heartbeat.js';
import { followLeases } from './follow-leases.js';
import { openLeaseConnection, type LeaseDatabase, type LeaseTexts } from './lease-connection.js';
import type { EngineMessage } from './heartbeat.js';
import { SharedLeases } from './shared-leases.js';

export interface LeaseThreadData {
  readonly database: LeaseDatabase;
  /** The worker's name. */
  readonly worker: string;
  readonly leases: SharedArrayBuffer;
  /**
   * The statements that the thread sends, as text: Prisma, which builds them, would take another 20 MB in this thread.
   */
  readonly texts: LeaseTexts;
  readonly intervalMs: number;
  readonly answerLimitMs: number;
}

/** What the thread is asked for. */
export type LeaseThreadRequest = 'renew' | 'stop';

/**
 * What the thread sends. Of an error only message and code are sent: more does not
 * cross threads.
 */
export type LeaseThreadMessage =
  | { readonly kind: 'connected' }
  | { readonly kind: 'refused'; readonly error: ErrorWords }
  /** It has signed off, and may be ended: to close the port itself is not in every runtime. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'messages'; readonly messages: readonly EngineMessage[] };

export interface ErrorWords {
  readonly message: string;
  readonly code: string;
}

/** How often a heartbeat is sent without leases: otherwise nobody would find out that the connection was cut. */
const IDLE_HEARTBEAT_MS = 8_000;

const { database, worker, leases, texts, intervalMs, answerLimitMs } = workerData as LeaseThreadData;
const stopping = new AbortController();
let isTried = false;
let isAway = false;
let askedMs = clock.monotonicMs();
let messages: EngineMessage[] = [];

const connection = openLeaseConnection({
  database,
  worker,
  texts,
  answerLimitMs,
  clock,
  onOpen: () => {
    tellFirst({ kind: 'connected' });
    if (isAway) notify({ kind: 'back', sinceMs: clock.monotonicMs() });
    isAway = false;
    // without a connection no cancellation was received
    heartbeat.askAgain();
  },
  onLost: (error) => {
    tellFirst({ kind: 'refused', error: toWords(error) });
    if (!isAway) notify({ kind: 'away' });
    isAway = true;
    heartbeat.fail(error);
  },
  onNotification: (_channel, id) => onCancel(id),
});
const heartbeat = new LeaseHeartbeat({ extend, clock, intervalMs, notify });
const follow = followLeases(new SharedLeases(leases), heartbeat);

parentPort!.on('message', (request: LeaseThreadRequest) => {
  if (request === 'stop') return void signOff().finally(() => stopping.abort());
  follow.update();
  heartbeat.renew();
});
// Awaited by nobody: Node 24 aborts the whole process if a thread is ended while one of its modules still waits
void Promise.all([connection.keepOpen(stopping.signal), heartbeatUntilStopped()]).then(() => tell({ kind: 'stopped' }));

async function heartbeatUntilStopped(): Promise<void> {
  while (!stopping.signal.aborted) {
    follow.update();
    heartbeat.ask();
    if (clock.monotonicMs() - askedMs >= IDLE_HEARTBEAT_MS) heartbeat.askAgain();
    await pause(clock, intervalMs, stopping.signal);
  }
}

async function extend(batch: readonly LeaseToExtend[]): Promise<ExtendedLease[]> {
  askedMs = clock.monotonicMs();
  const held = (await connection.query(texts.extend, [JSON.stringify(batch)])) as ExtendedLease[];
  // drop the leases that were settled meanwhile: a busy worker would receive `lost` for thousands of them
  follow.update();
  return held;
}

function onCancel(id: string): void {
  follow.update();
  if (heartbeat.has(id)) heartbeat.askAgain();
}

/** Removes the worker from the register. Never rejects: a worker that could not be removed is found missing later. */
async function signOff(): Promise<void> {
  if (database.isPooled !== true) await connection.query(texts.forget, [[worker]]).catch(() => {});
}

/** Gathers the messages of one turn, and sends them as one. */
function notify(message: EngineMessage): void {
  if (message.kind === 'lost') follow.lost(message);
  if (messages.length === 0) queueMicrotask(flush);
  messages.push(message.kind === 'failed' ? { kind: 'failed', error: toWords(message.error) } : message);
}

function flush(): void {
  tell({ kind: 'messages', messages });
  messages = [];
}

/** Sends how the first try to connect has ended. */
function tellFirst(message: LeaseThreadMessage): void {
  if (!isTried) tell(message);
  isTried = true;
}

function tell(message: LeaseThreadMessage): void {
  parentPort!.postMessage(message);
}

function toWords(error: unknown): ErrorWords {
  const { message = '', code = '' } = error as Partial<ErrorWords>;
  return { message: message || code || String(error), code };
}

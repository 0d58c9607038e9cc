/**
 * The code of the lease thread. Only heartbeats run here, so that a handler that blocks the worker's own event loop
 * keeps its lease, up to its time limit.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { pause, systemClock as clock } from '../clock.js';
import type { ExtendedLease, LeaseToExtend } from '../ports/runs.js';
import { SharedLeases, type Lease } from './lease.js';
import { LeaseHeartbeat, type LeaseMessage } from './heartbeat.js';
import { CANCEL_CHANNEL } from '../sql/wake/channels.js';
import { KeptConnection, type KeptConnectionOptions, type KeptDatabase } from '../wake/kept-connection.js';

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
 * What the thread sends. Of an error only message and code are sent: more does not cross threads.
 */
export type LeaseThreadMessage =
  | { readonly kind: 'connected' }
  | { readonly kind: 'refused'; readonly error: ErrorWords }
  /** It has signed off, and may be ended: to close the port itself is not in every runtime. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'messages'; readonly messages: readonly LeaseMessage[] };

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
let messages: LeaseMessage[] = [];

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
  if (request === 'stop') {
    heartbeat.stop();
    return void signOff().finally(() => stopping.abort());
  }
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
function notify(message: LeaseMessage): void {
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

/** Keeps a heartbeat's leases the same as those in the shared memory. */
function followLeases(shared: SharedLeases, heartbeat: LeaseHeartbeat) {
  /**
   * Leases reported as lost, by id with their fences. The worker may be too busy to remove them: they must not be held
   * again.
   */
  const lost = new Map<string, number>();
  return {
    update(): void {
      const held = new Map(shared.read().map((lease) => [lease.id, lease]));
      for (const known of heartbeat.all()) if (held.get(known.id)?.fence !== known.fence) heartbeat.letGo(known);
      for (const [id, fence] of lost) if (held.get(id)?.fence !== fence) lost.delete(id);
      for (const lease of held.values())
        if (lost.get(lease.id) !== lease.fence) heartbeat.hold(bounded(lease, shared.aliveMs));
    },
    lost({ id, fence }: Pick<Lease, 'id' | 'fence'>): void {
      lost.set(id, fence);
    },
  };
}

/** Bounds the lease of a buffered run: when the event loop no longer turns, another worker should get the run. */
function bounded(lease: Lease, aliveMs: number): Lease {
  return lease.keepUntilMs === Infinity ? { ...lease, keepUntilMs: aliveMs + lease.leaseMs } : lease;
}

/** Where leases are kept; what `parseDatabaseUrl` returns has this shape. */
export interface LeaseDatabase extends KeptDatabase {
  /** Through a pooler in transaction mode: the connection does not listen, and sets nothing on its session. */
  readonly isPooled?: boolean;
}

/** The statements that a lease connection sends, made by the functions of the same names. */
interface LeaseTexts {
  readonly extend: string;
  readonly register: string;
  readonly unregister: string;
  readonly forget: string;
}

interface LeaseConnectionOptions extends Omit<KeptConnectionOptions, 'config' | 'greet' | 'database'> {
  readonly database: LeaseDatabase;
  /** Its session shows that this worker lives. */
  readonly worker: string;
  readonly texts: LeaseTexts;
}

/**
 * The one connection on which a worker extends its leases and receives cancellations; its session shows others that the
 * worker lives. A pooler shares its sessions, so through one it receives no cancellations, and its session shows
 * nothing.
 */
function openLeaseConnection({ database, worker, texts, ...options }: LeaseConnectionOptions): KeptConnection {
  return new KeptConnection({
    ...options,
    database,
    config: toClientConfig(database, options.answerLimitMs),
    greet: async (ask, client) => {
      if (database.isPooled === true) return ask(texts.unregister, [worker]);
      await ask(texts.register, [worker, client.processID]);
      return ask(`LISTEN ${CANCEL_CHANNEL}`);
    },
  });
}

function toClientConfig(
  { options = '', isPooled = false }: LeaseDatabase,
  answerLimitMs: number,
): KeptConnectionOptions['config'] {
  // the heartbeat's statement has one good plan, and one over its limit should end; a pooler refuses all settings
  const settings = isPooled
    ? ''
    : `-c TimeZone=UTC -c lock_timeout=0 -c idle_session_timeout=0 -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off -c statement_timeout=${Math.ceil(answerLimitMs)}`;
  return {
    options: `${options} ${settings}`.trim(),
    application_name: 'duework leases',
  };
}

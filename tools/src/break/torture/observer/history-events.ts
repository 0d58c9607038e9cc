import type { CrashPoint } from '@duework/queue-core';

/** How a producer enqueues. */
export type Way = 'keyed' | 'transaction' | 'shared' | 'many' | 'report' | 'batch';
/** The client through which a worker's engine sends its statements. */
export type ClientKind = 'pg' | 'prisma';
/**
 * Where in an effect a handler was held: before its beginning was written, after that, inside of it, after it was done.
 */
export const EFFECT_MOMENTS = ['begin.before', 'begin.answered', 'effect.entered', 'effect.applied'] as const;
export type EffectMoment = (typeof EFFECT_MOMENTS)[number];

interface Call {
  readonly way: Way;
  readonly type: string;
  readonly n: number;
}
interface Attempt {
  readonly run: string;
  readonly type: string;
  readonly n?: number | undefined;
  readonly attempt: number;
  readonly fence: number;
}
/** A run under the fence of one claim, as its worker knows it. */
interface Claimed {
  readonly worker: string;
  readonly run: string;
  readonly fence: number;
  readonly type: string;
}
interface HeldEffect {
  readonly run: string;
  readonly type: string;
  readonly fence: number;
  readonly moment: EffectMoment;
}
export interface ExitFacts {
  readonly code: number | null;
  readonly signal: string | null;
}
/** The facts of every line about a fault. */
export interface FaultFacts {
  readonly fault: string;
  readonly id: string;
  /** No other fault happens at the same time. */
  readonly isAlone: boolean;
}
/** Facts that only some faults have. */
export interface FaultDetails {
  readonly worker?: string;
  readonly isPooled?: boolean;
  readonly hasHappened?: boolean;
  readonly silentMs?: number;
  readonly closedMs?: number;
  readonly ms?: number;
  readonly mode?: string;
  readonly downMs?: number;
  readonly direction?: string;
  readonly table?: string;
  readonly times?: number;
  readonly rounds?: number;
  readonly point?: CrashPoint;
  readonly held?: readonly HeldEffect[];
}

/** Every kind of line in the history, with its facts beside its kind, its time and its writer. */
export interface EventFacts {
  'enqueue.called': Call;
  'enqueue.answered': Call & { readonly run: string };
  'enqueue.rolled_back': Call;
  'enqueue.unknown': Call & { readonly problem: string };
  'handler.started': Attempt;
  'handler.ended': Attempt & { readonly isAborted: boolean };
  /** The engine has called the effect: from now on it can happen at any time. */
  'effect.begun': Omit<HeldEffect, 'moment'> & { readonly key: string; readonly isRepeat: boolean };
  /** A handler is held at this moment of its effect, and its worker is about to be frozen or killed. */
  'effect.held': HeldEffect & { readonly how: 'freeze' | 'kill' };
  'worker.spawned': {
    readonly worker: string;
    readonly pid: number;
    readonly version: number;
    readonly isPooled: boolean;
    readonly client: ClientKind;
  };
  'worker.ended': ExitFacts & { readonly worker: string; readonly isTold: boolean; readonly said: readonly string[] };
  'person.begun': { readonly person: string };
  'person.fell': ExitFacts & { readonly person: string; readonly said: readonly string[] };
  started: { readonly pid: number };
  'start.failed': { readonly problem: string };
  died: { readonly point: CrashPoint };
  'operator.did': { readonly deed: string; readonly run?: string; readonly answer: unknown };
  'operator.failed': { readonly deed: string; readonly code: string | null; readonly problem: string };
  'faults.begun': object;
  'faults.ended': object;
  'drain.begun': object;
  'drain.ended': { readonly live: number };
  'fault.begun': FaultFacts & FaultDetails;
  'fault.did': FaultFacts & { readonly deadlocks: number };
  'fault.failed': FaultFacts & { readonly problem: string };
  'fault.ended': FaultFacts;
  'database.up': FaultFacts;
  'database.failed': { readonly during: string; readonly code?: string | null; readonly problem?: string };
  'job.succeeded': Claimed;
  'job.failed': Claimed;
  'job.dead': Claimed;
  'job.snoozed': Claimed;
  'job.released': Claimed;
  'job.cancelled': Claimed;
}
export type EventKind = keyof EventFacts;

/** A line of the history. `at`: milliseconds of the monotonic clock, the same in every process; `by`: its writer. */
export type EventOf<K extends EventKind> = {
  [Kind in K]: { readonly kind: Kind; readonly at: number; readonly by: string } & EventFacts[Kind];
}[K];
export type HistoryEvent = EventOf<EventKind>;

/** The events of some kinds, in the order of time. */
export function ofKind<K extends EventKind>(events: readonly HistoryEvent[], ...kinds: readonly K[]): EventOf<K>[] {
  return events.filter((event): event is EventOf<K> & HistoryEvent =>
    (kinds as readonly string[]).includes(event.kind),
  );
}

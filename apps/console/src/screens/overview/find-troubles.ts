import type { FlowRule } from '../../api/flow-queries.js';
import type { Alert, Finding, Pause, QueueState, Unserved, Worker } from '../../api/now-queries.js';

/** `error`: jobs are held up or lost. `warning`: somebody should look. `told`: somebody wants it so. */
export type Severity = 'error' | 'warning' | 'told';

/** Something that is wrong, with what has to be known of it. */
export type Trouble = { readonly severity: Severity } & (
  | { readonly kind: 'no_workers'; readonly unserved: readonly Unserved[] }
  | { readonly kind: 'unserved'; readonly unserved: Unserved }
  /** `mostly`: the commonest error, as far as an alert has told it. */
  | { readonly kind: 'failing'; readonly queue: QueueState; readonly ended: number; readonly mostly: string | null }
  | { readonly kind: 'mended'; readonly queue: QueueState; readonly ended: number }
  | ({ readonly kind: 'saturated' } & Saturation)
  | { readonly kind: 'died'; readonly queue: QueueState }
  | { readonly kind: 'retrying'; readonly queue: QueueState }
  | { readonly kind: 'behind'; readonly queue: QueueState }
  | { readonly kind: 'paused'; readonly pause: Pause; readonly due: number }
  | { readonly kind: 'lost'; readonly worker: Worker; readonly isLast: boolean }
  | { readonly kind: 'silent'; readonly worker: Worker; readonly ms: number }
  | { readonly kind: 'stalled' | 'shut'; readonly worker: Worker }
  | { readonly kind: 'alert'; readonly alert: Alert }
  | { readonly kind: 'breaker' | 'blocked' | 'shut_rule'; readonly rule: FlowRule }
  | { readonly kind: 'held'; readonly rule: FlowRule; readonly ms: number }
  | { readonly kind: 'finding'; readonly finding: Finding }
);

/** Each slot of those who work for a queue is taken, and jobs wait for one. */
export interface Saturation {
  readonly queue: string;
  readonly slots: number;
  readonly due: number;
  readonly isAtLeast: boolean;
  readonly oldestWaitingSeconds: number;
  /** null: nothing has begun lately. */
  readonly perSecond: number | null;
  /** How many come in a second, and how many slots these need; null: that is not known. */
  readonly arrivalsPerSecond: number | null;
  readonly slotsNeeded: number | null;
}

export interface State {
  readonly queues: readonly QueueState[];
  readonly workers: readonly Worker[];
  readonly unserved: readonly Unserved[];
  readonly rules: readonly FlowRule[];
  readonly findings: readonly Finding[];
  /** The alerts that are on. */
  readonly alerts: readonly Alert[];
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** A deploy leaves a type without a worker for a moment. */
const UNSERVED_SECONDS = 15;
const BEHIND_SECONDS = 300;
/** A burst is worked off sooner. */
const SATURATED_SECONDS = 10;
/** As the alert `held_job_waits_too_long` has it, unless told otherwise. */
const HELD_MS = 300_000;
const MIN_ENDED = 5;
/** Workers write what has failed once a minute. */
const FIGURES_LATE_MS = 90_000;
/** A few always wait for another try. */
const MIN_RETRYING = 10;
/** All others are told from what this page has read itself, with more to it. */
const ALERTS: readonly Alert['name'][] = [
  'effect_unknown',
  'job_released_too_often',
  'dead_runs_expire',
  'schedule_late',
  'horizon_pinned',
  'disk_fills_up',
];
/** What the doctor finds, too: an administrator alone is told that, and later. */
const FOUND: Readonly<Partial<Record<Finding['code'], Alert['name']>>> = {
  snapshot_pinned: 'horizon_pinned',
  disk_fills_up: 'disk_fills_up',
};
const SEVERITIES: Readonly<Record<Alert['severity'], Severity>> = {
  critical: 'error',
  warning: 'warning',
  info: 'told',
};
const RANKS: Readonly<Record<Severity, number>> = { error: 0, warning: 1, told: 2 };

/** What is wrong now, the worst first. */
export function findTroubles({ queues, workers, unserved, rules, findings, alerts, now }: State): readonly Trouble[] {
  const saturated = findSaturated(queues, workers);
  const isSaturated = (name: string): boolean => saturated.some(({ queue }) => queue === name);
  const troubles: Trouble[] = [
    // first of all what waits for a person
    ...alerts
      .filter((alert) => ALERTS.includes(alert.name) || isAheadOfFigures(alert, queues, now))
      .toSorted((left, right) => ALERTS.indexOf(left.name) - ALERTS.indexOf(right.name))
      .map((alert): Trouble => ({ kind: 'alert', severity: severityOf(alert), alert })),
    ...findUnserved(unserved.filter(({ oldestWaitingSeconds }) => oldestWaitingSeconds >= UNSERVED_SECONDS)),
    ...saturated.map((one): Trouble => ({ kind: 'saturated', severity: 'warning', ...one })),
    ...queues.flatMap((queue) => findOfQueue(queue, unserved, isSaturated(queue.queue), alerts)),
    ...rules.flatMap((rule) => findOfRule(rule, now)),
    ...findPauses(queues),
    ...workers.flatMap((worker) => findOfWorker(worker, workers, now)),
    ...findings
      // told above, with more to it
      .filter(({ code }) => code !== 'type_without_worker' && !alerts.some(({ name }) => name === FOUND[code]))
      .map((finding): Trouble => ({ kind: 'finding', severity: finding.severity, finding })),
  ];
  return troubles.toSorted((left, right) => RANKS[left.severity] - RANKS[right.severity]);
}

/**
 * Whether an alert tells of failures that the figures of its type do not have yet: the pager has rung, and this page
 * has to say why.
 */
const isAheadOfFigures = ({ name, subject, raisedAt }: Alert, queues: readonly QueueState[], now: number): boolean =>
  name === 'failing_job_type' &&
  now - Date.parse(raisedAt) < FIGURES_LATE_MS &&
  !queues.some(({ type, failed, dead }) => type === subject && (failed ?? 0) + (dead ?? 0) >= MIN_ENDED);

function findUnserved(unserved: readonly Unserved[]): readonly Trouble[] {
  const orphans = unserved.filter(({ missing }) => missing === 'worker');
  const others = unserved.filter(({ missing }) => missing !== 'worker');
  return [
    ...(orphans.length > 1 ? [{ kind: 'no_workers', severity: 'error', unserved: orphans } as const] : []),
    ...[...(orphans.length === 1 ? orphans : []), ...others].map(
      (one) => ({ kind: 'unserved', severity: 'error', unserved: one }) as const,
    ),
  ];
}

function findSaturated(queues: readonly QueueState[], workers: readonly Worker[]): readonly Saturation[] {
  return [...new Set(queues.map(({ queue }) => queue))].flatMap((queue) => {
    const able = workers.filter(({ queues: own, state }) => own.includes(queue) && state === 'claims');
    const slots = able.reduce((sum, worker) => sum + (worker.slots ?? 0), 0);
    const taken = able.reduce((sum, { held }) => sum + held, 0);
    const states = queues.filter((state) => state.queue === queue && state.pauses.length === 0 && state.due > 0);
    const oldestWaitingSeconds = Math.max(0, ...states.map((state) => state.oldestWaitingSeconds));
    const sumOf = (field: 'perSecond' | 'arrivalsPerSecond' | 'slotsNeeded'): number | null =>
      queues.reduce((sum, one) => sum + (one.queue === queue ? (one[field] ?? 0) : 0), 0) || null;
    if (slots === 0 || taken < slots || oldestWaitingSeconds < SATURATED_SECONDS) return [];
    return {
      queue,
      slots,
      due: states.reduce((sum, { due }) => sum + due, 0),
      isAtLeast: states.some(({ isAtLeast }) => isAtLeast),
      oldestWaitingSeconds,
      // of all types, because they share the slots
      perSecond: sumOf('perSecond'),
      arrivalsPerSecond: sumOf('arrivalsPerSecond'),
      slotsNeeded: sumOf('slotsNeeded'),
    };
  });
}

function findOfQueue(
  queue: QueueState,
  unserved: readonly Unserved[],
  isSaturated: boolean,
  alerts: readonly Alert[],
): readonly Trouble[] {
  const { retrying, pauses, due, oldestWaitingSeconds } = queue;
  // null: the queue keeps no figures of the past, and nothing is said of them
  const [succeeded, failed, dead] = [queue.succeeded ?? 0, queue.failed ?? 0, queue.dead ?? 0];
  const troubles: Trouble[] = [];
  const ended = succeeded + failed + dead;
  if (ended >= MIN_ENDED && failed + dead >= ended / 2)
    troubles.push(
      (queue.succeededSince ?? 0) >= MIN_ENDED
        ? { kind: 'mended', severity: 'warning', queue, ended }
        : { kind: 'failing', severity: 'error', queue, ended, mostly: mostlyOf(queue.type, alerts) },
    );
  else {
    if (dead > 0) troubles.push({ kind: 'died', severity: 'warning', queue });
    // told at once: what has failed is counted a few seconds later
    if (retrying >= MIN_RETRYING) troubles.push({ kind: 'retrying', severity: 'warning', queue });
  }
  const isUnserved = unserved.some(({ queue: name, type }) => name === queue.queue && type === queue.type);
  if (due > 0 && oldestWaitingSeconds >= BEHIND_SECONDS && pauses.length === 0 && !isUnserved && !isSaturated)
    troubles.push({ kind: 'behind', severity: 'warning', queue });
  return troubles;
}

function mostlyOf(type: string, alerts: readonly Alert[]): string | null {
  const error = alerts.find(({ name, subject }) => name === 'failing_job_type' && subject === type)?.facts['error'];
  return error === undefined ? null : String(error);
}

/** The worst of a rule of flow control. */
function findOfRule(rule: FlowRule, now: number): readonly Trouble[] {
  const { kind, closed, trying, blocked, waiting, waitingSince } = rule;
  if (kind === 'breaker' && closed + trying > 0)
    return [{ kind: 'breaker', severity: closed > 0 ? 'error' : 'warning', rule }];
  if (blocked > 0) return [{ kind: 'blocked', severity: 'error', rule }];
  if (closed > 0) return [{ kind: 'shut_rule', severity: waiting > 0 ? 'warning' : 'told', rule }];
  const ms = waitingSince === null ? 0 : now - Date.parse(waitingSince);
  return ms >= HELD_MS ? [{ kind: 'held', severity: 'warning', rule, ms }] : [];
}

/** Each pause once, with what it holds up. */
function findPauses(queues: readonly QueueState[]): readonly Trouble[] {
  const found = new Map<string, Extract<Trouble, { kind: 'paused' }>>();
  for (const { pauses, due } of queues)
    for (const pause of pauses) {
      const name = `${pause.kind} ${pause.name}`;
      const sum = (found.get(name)?.due ?? 0) + due;
      found.set(name, { kind: 'paused', severity: sum > 0 ? 'warning' : 'told', pause, due: sum });
    }
  return [...found.values()];
}

const severityOf = ({ name, severity }: Alert): Severity =>
  name === 'effect_unknown' ? 'error' : SEVERITIES[severity];

function findOfWorker(worker: Worker, workers: readonly Worker[], now: number): readonly Trouble[] {
  switch (worker.state) {
    case 'claims':
      return [];
    case 'lost': {
      // one that stands still takes nothing from another
      const isLast = workers.every(({ state }) => state === 'lost' || state === 'stalled' || state === 'silent');
      return [{ kind: 'lost', severity: isLast ? 'error' : 'warning', worker, isLast }];
    }
    case 'stalled':
      return [{ kind: 'stalled', severity: 'warning', worker }];
    case 'silent':
      return [{ kind: 'silent', severity: 'warning', worker, ms: now - Date.parse(worker.seenAt) }];
    case 'shut':
      return [{ kind: 'shut', severity: 'warning', worker }];
  }
}

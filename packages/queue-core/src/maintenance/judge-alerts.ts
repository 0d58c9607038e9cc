import {
  ALERT_SEVERITIES,
  keyOfAlert,
  type AlertCondition,
  type AlertMessage,
  type AlertTold,
} from '../ports/alerts.js';

/** What a store without SQL remembers of an alert, as the table `job_alerts` does. */
export interface AlertState extends AlertCondition {
  readonly raisedAtMs: number;
  readonly seenAtMs: number;
  /** null: it is on. */
  readonly resolvedAtMs: number | null;
  readonly returns: number;
  readonly message: number;
  readonly isReminder: boolean;
  readonly told: readonly string[];
  readonly toldAtMs: number | null;
  readonly tries: number;
  readonly tellAtMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long something is gone until it is over; twice as long each time that it has come back within an hour. */
const GONE_MS = 2 * MINUTE_MS;
/** How long whoever has a message may take to tell it. */
const TELL_MS = 2 * MINUTE_MS;
const MOST_RETURNS = 4;
const MAX_PAUSE_MS = 30 * MINUTE_MS;

/** Compares what is wrong with what was, writes that into `states`, and returns what is to be told. */
export function judgeAlerts(
  states: Map<string, AlertState>,
  wrong: readonly AlertCondition[],
  ways: readonly string[],
  nowMs: number,
): readonly AlertMessage[] {
  for (const one of wrong) states.set(keyOfAlert(one), see(states.get(keyOfAlert(one)), one, nowMs));
  const messages: AlertMessage[] = [];
  for (const [key, seen] of states) {
    const state = goOn(seen, nowMs);
    states.set(key, state);
    const left = ways.filter((way) => !state.told.includes(way));
    const isFirst = !state.told.includes('log');
    if ((left.length === 0 && !isFirst) || state.tellAtMs > nowMs) continue;
    // of one of which nobody heard nobody hears the end
    if (state.resolvedAtMs !== null && state.toldAtMs === null) continue;
    states.set(key, {
      ...state,
      told: isFirst ? [...state.told, 'log'] : state.told,
      toldAtMs: isFirst ? nowMs : state.toldAtMs,
      tries: state.tries + 1,
      tellAtMs: left.length === 0 ? nowMs : nowMs + TELL_MS,
    });
    messages.push(toMessage(state, isFirst, left));
  }
  for (const [key, { resolvedAtMs }] of states)
    if (resolvedAtMs !== null && resolvedAtMs < nowMs - 24 * HOUR_MS) states.delete(key);
  return messages.toSorted((left, right) => (keyOfAlert(left) < keyOfAlert(right) ? -1 : 1));
}

/** Notes what became of a message, unless there is a newer one. */
export function noteTold(states: Map<string, AlertState>, about: AlertTold, nowMs: number): void {
  const state = states.get(keyOfAlert(about));
  if (state?.message !== about.message) return;
  const pauseMs = about.hasFailed ? Math.min(MAX_PAUSE_MS, (MINUTE_MS / 2) * 2 ** Math.min(state.tries, 10)) : 0;
  states.set(keyOfAlert(about), { ...state, told: [...state.told, ...about.told], tellAtMs: nowMs + pauseMs });
}

function see(known: AlertState | undefined, one: AlertCondition, nowMs: number): AlertState {
  if (known !== undefined && known.resolvedAtMs === null) return { ...known, ...one, seenAtMs: nowMs };
  const isBack = known !== undefined && known.resolvedAtMs! > nowMs - HOUR_MS;
  return {
    ...one,
    raisedAtMs: nowMs,
    seenAtMs: nowMs,
    resolvedAtMs: null,
    returns: isBack ? Math.min(known.returns + 1, MOST_RETURNS) : 0,
    message: (known?.message ?? 0) + 1,
    isReminder: false,
    told: [],
    toldAtMs: null,
    tries: 0,
    tellAtMs: Math.min(known?.tellAtMs ?? nowMs, nowMs + TELL_MS),
  };
}

function goOn(state: AlertState, nowMs: number): AlertState {
  if (state.resolvedAtMs !== null) return state;
  const isOver = state.seenAtMs <= nowMs - GONE_MS * 2 ** state.returns;
  const isReminded = state.told.includes('log') && state.toldAtMs! <= nowMs - HOUR_MS;
  if (!isOver && !isReminded) return state;
  return {
    ...state,
    resolvedAtMs: isOver ? nowMs : null,
    isReminder: !isOver,
    message: state.message + 1,
    told: [],
    tries: 0,
    tellAtMs: Math.min(state.tellAtMs, nowMs + TELL_MS),
  };
}

function toMessage(state: AlertState, isFirst: boolean, ways: readonly string[]): AlertMessage {
  const { name, subject, facts, resolvedAtMs, isReminder, raisedAtMs, message } = state;
  const isOn = resolvedAtMs === null;
  return {
    name,
    subject,
    facts,
    severity: ALERT_SEVERITIES[name],
    status: isOn ? (isReminder ? 'lasts' : 'raised') : 'resolved',
    raisedAt: new Date(raisedAtMs),
    resolvedAt: isOn ? null : new Date(resolvedAtMs),
    message,
    isFirst,
    ways,
  };
}

import type { ExplanationCode, ExplanationFacts, GateHolder, OpenWait } from './explanation.js';

type Sentences = { readonly [C in ExplanationCode]: (facts: ExplanationFacts[C]) => string };

/** One sentence for each code. */
const SENTENCES: Sentences = {
  not_due: ({ until }) => `It is not due until ${at(until)}.`,
  snoozed: ({ until, snoozes }) =>
    `Its handler asked for later (the ${nth(snoozes)} time): it is not due until ${at(until)}.`,
  suspended: ({ waits, count }) =>
    `Its handler waits ${waits.map(spellWait).join('; and ')}` +
    `${count > waits.length ? `; and for ${count - waits.length} more` : ''}. It has no slot meanwhile.`,
  waiting_for_retry: ({ until, attempts, maxAttempts, retryUntil, ...error }) =>
    `It waits for its ${nth(attempts)} retry until ${at(until)}, because attempt ${attempts} of ${maxAttempts} failed${because(error)}.` +
    (retryUntil === null ? '' : ` No retry begins after ${at(retryUntil)}.`),
  paused: ({ kind, name, since, until, by, reason }) =>
    `The ${kind} ${name} is paused${by === null ? '' : ` by ${by}`} since ${at(since)}` +
    `${until === null ? '' : ` until ${at(until)}`}${reason === null ? '' : ` (${reason})`}.`,
  no_worker: ({ queue, type, version, missing, labels, lastWorker, lastSeenAt }) =>
    `${MISSING[missing]({ queue, type, version })}` +
    `${labels.length === 0 ? '' : `, which needs one with ${labels.join(' and ')} in its labels`}; ` +
    (lastSeenAt === null
      ? 'none was seen within 30 days.'
      : `the last one, ${lastWorker}, was seen ${at(lastSeenAt)}.`),
  behind: ({ queue, letInBy, ahead, isAtLeast, aboutSeconds, perSecond, climbsAt }) =>
    (letInBy.length === 0 ? '' : `It was let in at ${letInBy.join(', ')}, and waits for a free slot of a worker. `) +
    (ahead === 0
      ? `It is due, and the next in the queue ${queue}: the next free slot takes it.`
      : `It is behind ${isAtLeast ? 'at least ' : ''}${ahead} other${ahead === 1 ? '' : 's'} in the queue ${queue}` +
        (aboutSeconds === null
          ? ', of which none began within the last five minutes.'
          : `: about ${spell(aboutSeconds)} at the present rate of ${Number(perSecond!.toPrecision(2))} a second.`)) +
    (ahead === 0 || climbsAt === null ? '' : ` From ${at(climbsAt)} on it is taken before all others.`),
  held_by_limit: ({ max, holder, ...place }) =>
    `It waits${behind(place)} at ${place.key}${max === null ? '' : `, which lets ${max} in at once`}` +
    (holder === null ? ': it is let in within a second.' : `; the next slot frees when ${spellHolder(holder)} ends.`),
  held_by_rate: ({ max, perMs, inSeconds, aboutSeconds, ...place }) =>
    `It waits${behind(place)} at ${place.key}${max === null ? '' : `, which lets ${max} in every ${Number((perMs! / 1_000).toPrecision(4))} s`}: ` +
    `the next unit is there ${inSeconds === 0 ? 'now' : `in ${inSeconds < 90 ? `${inSeconds.toFixed(1)} s` : spell(inSeconds)}`}` +
    `${place.ahead === 0 || aboutSeconds === null ? '' : `, and its own in about ${spell(aboutSeconds)}`}.`,
  held_by_order: ({ head, onFailure, onDead, ...place }) =>
    `It waits${behind(place)} at ${place.key}` +
    (head === null
      ? ': it is let in within a second.'
      : head.status === 'dead'
        ? `, which ${head.id === null ? 'another job' : `job ${head.id}`} keeps shut: it has been dead since ${at(head.since)}, until somebody retries or acknowledges it.`
        : `, until ${spellHolder(head)} ends; ` +
          `${onFailure === 'wait' ? 'its retries are waited for' : 'a failed attempt is stepped over'}, ` +
          `and if it is dead it ${onDead === 'block' ? 'blocks until somebody retries or acknowledges it' : 'lets the next one go'}.`),
  held_by_tenant: ({ turnsBefore, ...place }) =>
    `It waits${behind(place)} for the turn of ${place.key}: ` +
    (turnsBefore === 0
      ? 'it is the next.'
      : `${turnsBefore} other tenant${turnsBefore === 1 ? ' has its turn' : 's have their turns'} before it.`),
  held_by_breaker: ({ state, until, trying, ...place }) =>
    `It waits${behind(place)} at ${place.key}` +
    (state === 'open'
      ? `, which is open until ${at(until!)}, because too many attempts have failed; then one run is tried at a time.`
      : state === 'trying'
        ? `, which tries one run at a time${trying === null ? '' : `, now ${spellHolder(trying)}`}, until one has succeeded.`
        : ': it is let in within a second.'),
  gate_closed: ({ until, source, by, reason, ...place }) =>
    `It waits${behind(place)} at ${place.key}, which ` +
    (source === 'provider'
      ? `is closed until ${at(until)}, because a handler was told to come back later.`
      : `${by ?? 'an operator'} has closed until ${at(until)}${reason === null ? '' : ` (${reason})`}.`),
  leased: ({ worker, until, attempt, maxAttempts, claimedAt }) =>
    `It runs: attempt ${attempt} of ${maxAttempts} since ${at(claimedAt)}, leased by ${worker} until ${at(until)}.`,
  expires: ({ at: when }) => `It is cancelled at ${at(when)}, unless it has started by then.`,
  released: ({ releases }) =>
    releases === 1
      ? 'A worker that stopped has given it back once while it ran.'
      : `Workers that stopped have given it back ${releases} times while it ran: does it last longer than the time between two deploys?`,
  lease_expired: ({ worker, since, attempt }) =>
    `The worker ${worker} has not renewed its lease, which ended ${at(since)}: attempt ${attempt} will be rescued within seconds, if any worker lives.`,
  cancelling: ({ worker, since, by, reason }) =>
    `It runs, and its worker ${worker} was asked to cancel it ${at(since)}${by === null ? '' : ` by ${by}`}${reason === null ? '' : ` (${reason})`}.`,
  dead: ({ since, attempts, maxAttempts, ...error }) =>
    `It has been dead since ${at(since)}, because attempt ${attempts} of ${maxAttempts} failed${because(error)}.`,
  succeeded: ({ at: when, attempts }) => `It succeeded ${at(when)}, at attempt ${attempts}.`,
  cancelled: ({ at: when, by, reason }) =>
    `It was cancelled ${at(when)}${by === null ? '' : ` by ${by}`}${reason === null ? '' : ` (${reason})`}.`,
};

const MISSING = {
  worker: () => 'No worker is running',
  type: ({ type }: { type: string }) => `No running worker knows the type ${type}`,
  queue: ({ queue, type }: { queue: string; type: string }) =>
    `No running worker that knows ${type} claims from the queue ${queue}`,
  version: ({ type, version }: { type: string; version: number }) =>
    `No running worker can read version ${version} of ${type}`,
};

export function writeSentence<C extends ExplanationCode>(code: C, facts: ExplanationFacts[C]): string {
  return SENTENCES[code](facts);
}

const behind = ({ ahead, isAtLeast }: { readonly ahead: number; readonly isAtLeast: boolean }): string =>
  ahead === 0 ? '' : ` behind ${isAtLeast ? 'at least ' : ''}${ahead} other${ahead === 1 ? '' : 's'}`;

const spellWait = ({ step, kind, of, until }: OpenWait): string => {
  const end = until === null ? '' : ` until ${at(until)}`;
  const what =
    kind === 'time'
      ? ''
      : kind === 'signal'
        ? ` for the signal ${of}`
        : ` for ${of === null ? 'another job' : `job ${of}`}`;
  return `${what.trimStart()}${what === '' ? end.trimStart() : end} (step ${JSON.stringify(step)})`;
};

function spellHolder({ id, type, status, since, lockedUntil, heldBy }: GateHolder): string {
  const how =
    status === 'running'
      ? `running since ${at(since)}`
      : heldBy !== null
        ? `which waits itself at ${heldBy}`
        : status === 'failed'
          ? `which failed, and is tried again at ${at(since)}`
          : `let in ${at(since)}, waits for a free slot of a worker`;
  const facts = [
    ...(type === null ? [] : [type]),
    how,
    ...(lockedUntil === null ? [] : [`lease until ${at(lockedUntil)}`]),
  ];
  return `${id === null ? 'another job' : `job ${id}`} (${facts.join(', ')})`;
}

const at = (moment: Date): string => moment.toISOString();

const nth = (n: number): string => {
  const teens = n % 100 > 10 && n % 100 < 14;
  return `${n}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;
};

function because({ errorCode, lastError }: { errorCode: string | null; lastError: string | null }): string {
  if (errorCode === null && lastError === null) return '';
  // the sentence ends with a period of its own
  const firstLine = lastError?.split('\n', 1)[0]?.slice(0, 200).replace(/\.$/, '');
  return ` with ${[errorCode, firstLine].filter((part) => part !== null && part !== undefined && part !== '').join(': ')}`;
}

function spell(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} minutes`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} hours` : `${Math.round(seconds / 86_400)} days`;
}

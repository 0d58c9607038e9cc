import type { ExplanationCode, ExplanationFacts } from './explanation.js';

type Sentences = { readonly [C in ExplanationCode]: (facts: ExplanationFacts[C]) => string };

/** One sentence for each code. */
const SENTENCES: Sentences = {
  not_due: ({ until }) => `It is not due until ${at(until)}.`,
  snoozed: ({ until, snoozes }) =>
    `Its handler asked for later (the ${nth(snoozes)} time): it is not due until ${at(until)}.`,
  waiting_for_retry: ({ until, attempts, maxAttempts, retryUntil, ...error }) =>
    `It waits for its ${nth(attempts)} retry until ${at(until)}, because attempt ${attempts} of ${maxAttempts} failed${because(error)}.` +
    (retryUntil === null ? '' : ` No retry begins after ${at(retryUntil)}.`),
  paused: ({ kind, name, since, until, by, reason }) =>
    `The ${kind} ${name} is paused${by === null ? '' : ` by ${by}`} since ${at(since)}` +
    `${until === null ? '' : ` until ${at(until)}`}${reason === null ? '' : ` (${reason})`}.`,
  no_worker: ({ queue, type, version, missing, lastWorker, lastSeenAt }) =>
    `${MISSING[missing]({ queue, type, version })}; ` +
    (lastSeenAt === null
      ? 'none was seen within 30 days.'
      : `the last one, ${lastWorker}, was seen ${at(lastSeenAt)}.`),
  behind: ({ queue, ahead, isAtLeast, aboutSeconds, perSecond }) =>
    ahead === 0
      ? `It is due, and the next in the queue ${queue}: the next free slot takes it.`
      : `It is behind ${isAtLeast ? 'at least ' : ''}${ahead} other${ahead === 1 ? '' : 's'} in the queue ${queue}` +
        (aboutSeconds === null
          ? ', of which none began within the last five minutes.'
          : `: about ${spell(aboutSeconds)} at the present rate of ${Number(perSecond!.toPrecision(2))} a second.`),
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
  worker: () => 'No worker lives',
  type: ({ type }: { type: string }) => `No worker that lives runs the type ${type}`,
  queue: ({ queue, type }: { queue: string; type: string }) =>
    `No worker that lives and runs ${type} claims from the queue ${queue}`,
  version: ({ type, version }: { type: string; version: number }) =>
    `No worker that lives can read version ${version} of ${type}`,
};

export function writeSentence<C extends ExplanationCode>(code: C, facts: ExplanationFacts[C]): string {
  return SENTENCES[code](facts);
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

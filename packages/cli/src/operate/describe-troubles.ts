import type { LiveWorker, QueueState } from '@duework/operate';
import { ofShard, type OfShard } from '../operations/of-shard.js';
import { cleanText } from '../output/clean-text.js';
import { formatMoment } from '../output/format-moment.js';
import { type Look, paint } from '../output/look.js';
import { showMs } from './queue-row.js';

const MIN_ENDED = 5;
/** A burst is worked off sooner. */
const SATURATED_SECONDS = 10;

/** What is wrong with types and queues, a line each. */
export const describeTroubles = (
  queues: readonly OfShard<QueueState>[],
  workers: readonly OfShard<LiveWorker>[],
  look: Look,
): string[] => [
  ...queues.flatMap((state) => describeFailing(state, look)),
  ...describeSaturated(queues, workers).map((line) => paint(look, 'yellow', line)),
];

/** That half of the attempts of a type failed within five minutes, or that it fails no more; nothing where few fail. */
export function describeFailing(state: OfShard<QueueState>, look: Look): string[] {
  const { shard, type, succeeded, failed, dead, lastFailedAt, succeededSince } = state;
  const ended = succeeded + failed + dead;
  if (ended < MIN_ENDED || failed + dead < ended / 2) return [];
  const what = `${count(failed + dead)} of ${count(ended)} attempts of ${type}${ofShard(shard)} failed within five minutes`;
  if (succeededSince >= MIN_ENDED)
    return [
      paint(
        look,
        'yellow',
        cleanText(`${what}, none since ${formatMoment(lastFailedAt)}: ${count(succeededSince)} succeeded since.`),
      ),
    ];
  return [paint(look, 'red', cleanText(`${what}: npx duework failures --type ${type}`))];
}

/** That each slot of those who work for a queue is taken while its jobs wait, and how long they need at this rate. */
export function describeSaturated(
  queues: readonly OfShard<QueueState>[],
  workers: readonly OfShard<LiveWorker>[],
): string[] {
  const names = new Map(queues.map(({ shard, queue }) => [JSON.stringify([shard, queue]), { shard, queue }]));
  return [...names.values()].flatMap(({ shard, queue }) => {
    const own = queues.filter((state) => state.queue === queue && state.shard === shard);
    const able = workers.filter(
      (worker) => worker.shard === shard && worker.queues.includes(queue) && worker.state === 'claims',
    );
    const slots = sum(able.map((worker) => worker.slots ?? 0));
    const waiting = own.filter(({ due, pauses }) => due > 0 && pauses.length === 0);
    const oldest = Math.max(0, ...waiting.map((state) => state.oldestWaitingSeconds));
    if (slots === 0 || sum(able.map(({ held }) => held)) < slots || oldest < SATURATED_SECONDS) return [];
    const due = sum(waiting.map((state) => state.due));
    const isAtLeast = waiting.some((state) => state.isAtLeast);
    const perSecond = sum(own.map((state) => state.perSecond ?? 0));
    const rate =
      perSecond === 0
        ? ''
        : `: ${isAtLeast ? 'at least' : 'about'} ${showMs((due / perSecond) * 1_000)} at ${Number(perSecond.toPrecision(2))} a second`;
    const needed = Math.ceil(sum(own.map((state) => state.slotsNeeded ?? 0)));
    const coming = sum(own.map((state) => state.arrivalsPerSecond ?? 0));
    const need =
      needed === 0
        ? 'More workers or slots help'
        : `What comes (${Number(coming.toPrecision(2))} a second) needs about ${count(needed)} ${needed === 1 ? 'slot' : 'slots'}` +
          (needed <= slots ? ', so the backlog drains' : '');
    return cleanText(
      `All slots of the queue ${queue}${ofShard(shard)} (${slots}) are taken, and ${count(due)}${isAtLeast ? '+' : ''} jobs wait, the oldest for ${showMs(oldest * 1_000)}${rate}. ${need}.`,
    );
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const count = (value: number): string => value.toLocaleString('en-US');

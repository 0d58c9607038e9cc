import { type Act, DueworkError, type Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import { checkName } from '@duework/sql';
import type { EventState, Replay, ReplayPreview, ReplayRequest } from './event-state.js';
import { countReplay } from './sql/count-replay.js';
import { findEvents } from './sql/find-events.js';
import { replayPortion } from './sql/replay-portion.js';

/** Each its own transaction. */
const PORTION = 500;
/** Of one call. */
const MOST_PORTIONS = 20;

/** The events that workers have told of, by name, and who subscribes. */
export function listEvents(db: Queryable): Promise<EventState[]> {
  return findEvents(db);
}

/**
 * Gives a type that subscribes the kept events of a time that it has not had, the oldest first: each is one job, as if it
 * had subscribed then, however often you call. At most 10,000 a call: go on with `nextFrom`. A job is due now, or when the
 * subscription's delay after its event is over. Throws `event_not_found`, `not_subscribed` and `invalid_option`.
 */
export async function replayEvents(
  db: Queryable,
  request: ReplayRequest,
  { signal, ...act }: Act & { readonly signal?: AbortSignal } = {},
): Promise<Replay> {
  checkAct(act);
  await checkRequest(db, request);
  let replayed = 0;
  let { from }: { from: Date | null } = request;
  for (let portions = 0; from !== null && portions < MOST_PORTIONS; portions++) {
    signal?.throwIfAborted();
    const portion: Replay = await replayPortion(db, { ...request, from }, PORTION, act);
    replayed += portion.replayed;
    from = portion.nextFrom;
  }
  return { replayed, nextFrom: from };
}

/** How many events that would be. Throws what `replayEvents` throws. */
export async function previewReplay(db: Queryable, request: ReplayRequest): Promise<ReplayPreview> {
  await checkRequest(db, request);
  return countReplay(db, request);
}

async function checkRequest(db: Queryable, { event, to, from, until }: ReplayRequest): Promise<void> {
  for (const [option, value] of Object.entries({ from, until }))
    if (value !== undefined && !(value.getTime() >= 0 && value.getTime() < 253_402_300_800_000))
      throw new DueworkError('invalid_option', { option, expected: 'a moment from 1970 to 9999', value });
  const subscriber = await findSubscriber(db, event, to);
  if (!subscriber.isSubscribed) throw new DueworkError('not_subscribed', { type: to, event });
}

/** A type that has the payload of an event. Throws `event_not_found` and `not_subscribed`. */
export async function findSubscriber(db: Queryable, event: string, type: string) {
  checkName('event', event, 63);
  checkName('type', type, 63);
  const [state] = await findEvents(db, event);
  if (state === undefined) {
    const events = (await findEvents(db)).map((known) => known.event);
    throw new DueworkError('event_not_found', { event, events: events.slice(0, 50) });
  }
  const subscriber = state.subscribers.find((one) => one.type === type);
  if (subscriber === undefined) throw new DueworkError('not_subscribed', { type, event });
  return subscriber;
}

import { defineCatalog, defineJob, defineSignal, exponential, fixed } from '@duework/contracts';
import { z } from 'zod';

const payload = z.object({ job: z.int(), of: z.int() });

/** Lets a person decide about an effect that may have happened. */
export const send = defineJob({ type: 'send', payload, lease: '1s', timeout: '4s', retry: fixed('200ms') });

/** Has a lease that is longer than a worker may be without a session. Repeats an effect that may have happened; its run is released at once when its worker stops. */
export const post = defineJob({
  type: 'post',
  payload,
  queue: 'aside',
  lease: '20s',
  timeout: '1500ms',
  retry: exponential({ base: '100ms' }),
  effects: 'at_least_once',
  onShutdown: 'release',
});

/** Has a short time limit, and is dropped by a worker that stops. */
export const tidy = defineJob({
  type: 'tidy',
  payload,
  lease: '1s',
  timeout: '600ms',
  retry: fixed('1s'),
  onShutdown: 'drop',
});

/** Shares a limit of two with `pack`, and has one of its own for each `of`. */
export const ship = defineJob({
  type: 'ship',
  payload,
  lease: '1s',
  timeout: '4s',
  retry: fixed('200ms'),
  limits: [
    { name: 'dock', max: 2 },
    { by: 'of', max: 1 },
  ],
});

/** Of its own limit it takes two of five. */
export const pack = defineJob({
  type: 'pack',
  payload,
  queue: 'aside',
  lease: '1s',
  timeout: '1500ms',
  retry: exponential({ base: '100ms' }),
  onShutdown: 'release',
  limits: [
    { name: 'dock', max: 2 },
    { max: 5, cost: 2 },
  ],
});

/** Runs in order, and waits for the retries of a run that has failed. */
export const book = defineJob({
  type: 'book',
  payload,
  lease: '1s',
  timeout: '4s',
  retry: fixed('300ms'),
  order: 'of',
});

/** Takes steps and waits: for a time, for signals, and for legs. */
export const trip = defineJob({
  type: 'trip',
  payload,
  lease: '1s',
  timeout: '4s',
  retry: fixed('200ms'),
  durable: true,
});
export const arrived = defineSignal({
  name: 'arrived',
  by: ['job'],
  payload: z.object({ job: z.int(), serial: z.int() }),
});

/** A child of a trip, or a job of a batch. */
export const leg = defineJob({
  type: 'leg',
  payload,
  queue: 'aside',
  lease: '1s',
  timeout: '4s',
  retry: fixed('100ms'),
});

/** What a batch has enqueued: `of` says because of what. */
export const told = defineJob({ type: 'told', payload, lease: '1s', timeout: '4s', retry: fixed('100ms') });

/** Of whose jobs a world is: in every third one all have gates, few enough that they wait for each other. */
export const contractsToSimulate = {
  free: [send, send, post, tidy],
  gated: [[ship, pack], [book], [ship, pack, book]],
} as const;

export const catalogToSimulate = defineCatalog([send, post, tidy, ship, pack, book, trip, leg, told]);

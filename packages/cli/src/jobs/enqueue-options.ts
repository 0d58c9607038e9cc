import type { Duration } from '@duework/contracts';
import type { EnqueueOptions } from '@duework/queue-core';
import { Option } from 'commander';

type Name = Exclude<keyof EnqueueOptions, 'payloadLimitBytes' | 'meta'>;
type Declared<N extends Name> = readonly [
  flags: string,
  says: string,
  read: (text: string) => NonNullable<EnqueueOptions[N]>,
];

const asDuration = (text: string): Duration => text as Duration;

/** What may be said of a job as it is enqueued, in the order of the help; the compiler names one that is missing. */
const ENQUEUE_OPTIONS: { readonly [N in Name]-?: Declared<N> } = {
  idempotencyKey: ['--key <key>', 'the idempotency key: a second job with it is the first one', String],
  delay: ['--delay <duration>', 'make it due this long from now: 15m', asDuration],
  runAt: ['--at <time>', 'make it due at this time: 2026-01-14T02:00:00Z', (text) => new Date(text)],
  priority: ['--priority <n>', 'its priority, 0 (first) to 9 (last)', Number],
  maxAttempts: ['--max-attempts <n>', 'the attempts before it is dead', Number],
  expiresAfter: [
    '--expires-after <duration>',
    'cancel it if it has not started this long after it was due: 10m',
    asDuration,
  ],
  queue: ['--queue <queue>', 'a queue that the type allows (default: the type’s own)', String],
};

export const enqueueOptions = (): readonly Option[] =>
  Object.values(ENQUEUE_OPTIONS).map(([flags, says]) => new Option(flags, says));

/** The options that were given, by what commander calls them. */
export const readEnqueueOptions = (given: Readonly<Record<string, unknown>>): EnqueueOptions =>
  Object.fromEntries(
    Object.entries(ENQUEUE_OPTIONS).flatMap(([name, [flags, , read]]) => {
      const text = given[new Option(flags).attributeName()];
      return typeof text === 'string' ? [[name, read(text)]] : [];
    }),
  );

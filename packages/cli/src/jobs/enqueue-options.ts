import type { Duration } from '@duework/contracts';
import type { EnqueueOptions } from '@duework/queue-core';
import { Option } from 'commander';

type Name = Exclude<keyof EnqueueOptions, 'payloadLimitBytes' | 'meta'>;
/** A text is read as what it is; of a duration the queue says what is wrong with it. */
type Read<T> = T extends Duration ? (text: string) => string : (text: string) => T;
type Declared<N extends Name> = readonly [flags: string, says: string, read: Read<NonNullable<EnqueueOptions[N]>>];

/** What may be said of a job as it is enqueued, in the order of the help; the compiler names one that is missing. */
const ENQUEUE_OPTIONS: { readonly [N in Name]-?: Declared<N> } = {
  idempotencyKey: ['--key <key>', 'the idempotency key: a second job with it is the first one', String],
  delay: ['--delay <duration>', 'make it due this long from now: 15m', String],
  runAt: ['--at <time>', 'make it due at this time: 2026-01-14T02:00:00Z', (text) => new Date(text)],
  priority: ['--priority <n>', 'its priority, 0 (first) to 9 (last)', Number],
  maxAttempts: ['--max-attempts <n>', 'the attempts before it is dead', Number],
  expiresAfter: [
    '--expires-after <duration>',
    'cancel it if it has not started this long after it was due: 10m',
    String,
  ],
  queue: ['--queue <queue>', 'a queue that the type allows (default: the type’s own)', String],
};

export const enqueueOptions = (names = Object.keys(ENQUEUE_OPTIONS) as Name[]): readonly Option[] =>
  names.map((name) => new Option(ENQUEUE_OPTIONS[name][0], ENQUEUE_OPTIONS[name][1]));

/** The options that were given, by what commander calls them. */
export const readEnqueueOptions = (given: Readonly<Record<string, unknown>>): EnqueueOptions =>
  Object.fromEntries(
    Object.entries(ENQUEUE_OPTIONS).flatMap(([name, [flags, , read]]) => {
      const text = given[new Option(flags).attributeName()];
      return typeof text === 'string' ? [[name, read(text)]] : [];
    }),
  );

import { parseDuration, type Duration } from '@duework/contracts';
import type { EnqueueRequest } from '@duework/client';
import type { EnqueueOptions } from '@duework/queue-core';
import { Option } from 'commander';

type Name = Exclude<keyof EnqueueOptions, 'payloadLimitBytes' | 'meta'>;

interface Declared<N extends Name> {
  readonly flags: string;
  readonly says: string;
  readonly read: (text: string) => NonNullable<EnqueueOptions[N]>;
  /** An API is told it in seconds. */
  readonly isDuration?: true;
}

/** What may be said of a job as it is enqueued, in the order of the help; the compiler names one that is missing. */
const ENQUEUE_OPTIONS: { readonly [N in Name]-?: Declared<N> } = {
  idempotencyKey: {
    flags: '--key <key>',
    says: 'the idempotency key: a second job with it is the first one',
    read: String,
  },
  delay: {
    flags: '--delay <duration>',
    says: 'make it due this long from now: 15m',
    read: (text) => text as Duration,
    isDuration: true,
  },
  runAt: {
    flags: '--at <time>',
    says: 'make it due at this time: 2026-01-14T02:00:00Z',
    read: (text) => new Date(text),
  },
  priority: { flags: '--priority <n>', says: 'its priority, 0 (first) to 9 (last)', read: Number },
  maxAttempts: { flags: '--max-attempts <n>', says: 'the attempts before it is dead', read: Number },
  expiresAfter: {
    flags: '--expires-after <duration>',
    says: 'cancel it if it has not started this long after it was due: 10m',
    read: (text) => text as Duration,
    isDuration: true,
  },
  queue: { flags: '--queue <queue>', says: 'a queue that the type allows (default: the type’s own)', read: String },
};
const NAMES = Object.keys(ENQUEUE_OPTIONS) as Name[];

const toOption = (name: Name): Option => new Option(ENQUEUE_OPTIONS[name].flags, ENQUEUE_OPTIONS[name].says);

export const enqueueOptions = (): readonly Option[] => NAMES.map(toOption);

/** The options that were given, by what commander calls them. */
export const readEnqueueOptions = (given: Readonly<Record<string, unknown>>): EnqueueOptions =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const text = given[toOption(name).attributeName()];
      return typeof text === 'string' ? [[name, ENQUEUE_OPTIONS[name].read(text)]] : [];
    }),
  );

/** The same as an API is told them. */
export const toRequest = (options: EnqueueOptions): EnqueueRequest =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]: [string, unknown]) =>
      ENQUEUE_OPTIONS[name as Name].isDuration === undefined
        ? [name, value]
        : [`${name}Seconds`, parseDuration(value as Duration) / 1_000],
    ),
  );

import type { AnyJson } from './any-json.js';
import { checkOption } from './check-option.js';
import type { CollectOf } from './collect.js';
import { ContractError } from './contract-error.js';
import type { JsonSchema } from './describe-schema.js';
import { parseDuration, type Duration } from './duration.js';
import type { EventContract, Isolation, JobContract } from './job-contract.js';
import type { JobOptions } from './job-options.js';
import { makeContract } from './make-contract.js';
import type { PlainJson } from './plain-json.js';
import type { AnyOptions } from './read-rules.js';
import { readSchemas } from './read-schemas.js';
import type { JsonSchemaOf, OutputOf, StandardSchema } from './standard-schema.js';
import { uniquePath } from './unique/make-unique.js';

/** What a subscriber has of its event. */
const OF_EVENT = [
  'version',
  'past',
  'payload',
  'payloadJsonSchema',
  'defaultPayload',
  'sensitive',
  'encryption',
] as const;

/** Options of `defineSubscriber`: those of a job, without what its event says. */
type SubscriberOptions<
  TType extends string,
  TPayload extends StandardSchema,
  TResult extends StandardSchema,
  TIsolate extends Isolation | undefined,
  TProgress extends StandardSchema,
  TCollected extends number,
  TDurable extends boolean,
  TMapped,
> = Omit<
  JobOptions<TType, TPayload, TResult, TIsolate, number, TProgress, TCollected, TDurable>,
  (typeof OF_EVENT)[number] | 'idempotencyKey'
> & {
  /** The event that makes a job of this type each time it is published. */
  readonly on: EventContract<TPayload>;
  /** What the handler gets of the event's payload; called for every attempt, before the handler. Default: the payload. */
  readonly map?: (payload: NoInfer<OutputOf<TPayload>>) => TMapped;
  /** How long after the event the job is due; default: at once. */
  readonly delay?: Duration;
  /** `false` ends the subscription in a deploy: no event makes a job any more, and jobs that wait still run. Default true. */
  readonly subscribed?: boolean;
};

/**
 * Defines a job that each published event of `on` makes: in the publisher's transaction, once, with the event's payload.
 * In all else it is a job as `defineJob` makes it, and can be enqueued as one. Values of flow rules and of `unique` are
 * paths, because whoever publishes may not have this code. Throws `ContractError` as `defineJob`.
 */
export function defineSubscriber<
  const TType extends string,
  TPayload extends StandardSchema,
  TResult extends StandardSchema = AnyJson,
  TIsolate extends Isolation | undefined = undefined,
  TProgress extends StandardSchema = AnyJson,
  TCollected extends number = never,
  const TDurable extends boolean = false,
  TMapped = OutputOf<TPayload>,
>(
  options: SubscriberOptions<TType, TPayload, TResult, TIsolate, TProgress, TCollected, TDurable, TMapped> &
    JsonSchemaOf<TResult, 'resultJsonSchema', JsonSchema> &
    PlainJson<TResult, 'result'> &
    PlainJson<TProgress, 'progress'>,
): JobContract<TType, TPayload, TResult, TIsolate, TProgress, CollectOf<TCollected>, TDurable, TMapped> {
  const { on, map, delay, subscribed = true, ...given } = options;
  const { type } = given;
  const isEvent = typeof on === 'object' && on !== null && typeof on.name === 'string' && 'keepMs' in on;
  checkOption(type, 'on', typeof on, isEvent, 'an event, made by defineEvent');
  const own = OF_EVENT.find((option) => option in given);
  if (own !== undefined)
    throw new ContractError('invalid_job_option', `Job ${type}: its event ${on.name} says ${own}, so leave it out.`);
  checkOption(type, 'map', typeof map, map === undefined || typeof map === 'function', 'a function of the payload');
  checkOption(type, 'subscribed', subscribed, typeof subscribed === 'boolean', 'true or false');
  const { version, past, oldestVersion, sensitive, sensitiveEver, encryption, payload, payloadJsonSchema } = on;
  const job = { ...given, payload, payloadJsonSchema } as unknown as AnyOptions;
  const versions = { past, oldestVersion, sensitive, sensitiveEver, encryption };
  const contract = makeContract(job, { ...readSchemas(job), ...versions });
  checkPaths(contract, job);
  const subscription = Object.freeze({
    event: on,
    delayMs: delay === undefined ? 0 : parseDuration(delay),
    by: uniquePath(job.unique?.by),
    isSubscribed: subscribed,
  });
  return Object.freeze({ ...contract, version, subscription, map: map ?? null }) as never;
}

/** What a publisher without this code could not do. */
function checkPaths({ type, flow }: JobContract, { unique, idempotencyKey }: AnyOptions): void {
  const refuse = (option: string, why: string): never => {
    throw new ContractError('invalid_job_option', `Job ${type}: ${option} ${why}.`);
  };
  if (idempotencyKey !== undefined) refuse('idempotencyKey', 'is for the event: give it to publish, or use unique');
  for (const { name, by, units } of flow ?? [])
    if (typeof by === 'function' || typeof units === 'function')
      refuse(name, 'must name a path of the payload, because a publisher may not have its function');
  if (unique === undefined) return;
  if (uniquePath(unique.by) === null)
    refuse('unique.by', 'must be a path of the payload, because a publisher may not have its function');
  if (unique.onConflict === 'refuse') refuse('unique.onConflict', 'cannot be "refuse": it would refuse the event');
}

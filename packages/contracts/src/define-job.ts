import type { AnyJson } from './any-json.js';
import type { CollectOf } from './collect.js';
import type { JsonSchema } from './describe-schema.js';
import type { Isolation, JobContract } from './job-contract.js';
import type { JobOptions } from './job-options.js';
import type { NoPast, PastOptions, PastPayloads } from './past.js';
import type { PlainJson } from './plain-json.js';
import { makeContract } from './make-contract.js';
import type { AnyOptions } from './read-rules.js';
import { readSchemas } from './read-schemas.js';
import type { StandardSchema, JsonSchemaOf } from './standard-schema.js';

/**
 * Defines a job once, for producers and workers. Throws `ContractError` for a bad name, number or duration, for an
 * unknown option, and `payload_not_json` for a payload that JSON Schema cannot describe (a transform, a Date, a Map, a
 * bigint …), because it could not be stored and read unchanged; the message names the line to add for a validator that
 * does not write JSON Schema. `past_incomplete` for a version above 1 whose `past` is not given or leaves a version
 * out: see `PastOptions`. `sensitive_unknown` for an unknown sensitive path, `flow_path_unknown` and
 * `flow_path_sensitive` for a path of a flow rule that is unknown or sensitive.
 */
export function defineJob<
  const TType extends string,
  TPayload extends StandardSchema,
  TResult extends StandardSchema = AnyJson,
  TIsolate extends Isolation | undefined = undefined,
  const TVersion extends number = 1,
  TPast extends PastPayloads = NoPast,
  TProgress extends StandardSchema = AnyJson,
  TCollected extends number = never,
  const TDurable extends boolean = false,
>(
  options: JobOptions<TType, TPayload, TResult, TIsolate, TVersion, TProgress, TCollected, TDurable> &
    JsonSchemaOf<TPayload, 'payloadJsonSchema', JsonSchema> &
    JsonSchemaOf<TResult, 'resultJsonSchema', JsonSchema> &
    PlainJson<TPayload, 'payload'> &
    PlainJson<TResult, 'result'> &
    PlainJson<TProgress, 'progress'> &
    PastOptions<TVersion, TPayload, TPast>,
): JobContract<TType, TPayload, TResult, TIsolate, TProgress, CollectOf<TCollected>, TDurable> {
  const given = options as unknown as AnyOptions;
  return makeContract(given, readSchemas(given)) as never;
}

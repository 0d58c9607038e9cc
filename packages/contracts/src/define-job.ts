import { ANY_JSON, type AnyJson } from './any-json.js';
import { checkCollect, type CollectOf } from './collect.js';
import { checkNames } from './check-names.js';
import { checkOption } from './check-option.js';
import type { JsonSchema } from './describe-schema.js';
import { makeRules } from './flow/make-rules.js';
import type { Isolation, JobContract } from './job-contract.js';
import type { JobOptions } from './job-options.js';
import type { NoPast, PastOptions, PastPayloads } from './past.js';
import type { PlainJson } from './plain-json.js';
import { readRules, type AnyOptions } from './read-rules.js';
import { readSchemas } from './read-schemas.js';
import { markSensitive } from './sensitive/mark-sensitive.js';
import type { StandardSchema, JsonSchemaOf } from './standard-schema.js';
import { makeUnique } from './unique/make-unique.js';
import type { UniqueOptions } from './unique/unique-options.js';

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
  const { type, idempotencyKey } = options;
  checkNames(options as unknown as AnyOptions);
  const rules = readRules(options as unknown as AnyOptions);
  const { payloadJsonSchema, ...schemas } = readSchemas(options as unknown as AnyOptions);
  const owner = { type, queue: rules.queue, payloadJsonSchema, sensitiveEver: schemas.sensitiveEver };
  const unique = makeUnique(owner, options.unique as UniqueOptions<never> | undefined);
  const collect = checkCollect(type, options.collect, payloadJsonSchema, options.isolate !== undefined);
  const { durable = false as TDurable } = options;
  const isFine = durable === false || (durable === true && options.isolate === undefined && collect === undefined);
  checkOption(type, 'durable', durable, isFine, 'true or false, and not true together with isolate or collect');
  return Object.freeze({
    type,
    payload: options.payload,
    result: (options.result ?? ANY_JSON) as TResult,
    progress: (options.progress ?? ANY_JSON) as TProgress,
    defaultPayload: options.defaultPayload,
    ...rules,
    ...schemas,
    payloadJsonSchema: markSensitive(payloadJsonSchema, schemas.sensitive),
    keyOf: unique?.keyOf ?? idempotencyKey ?? null,
    unique: unique?.rule ?? null,
    flow: makeRules(owner, options),
    isolate: options.isolate as TIsolate,
    collect: collect as CollectOf<TCollected>,
    durable,
  });
}

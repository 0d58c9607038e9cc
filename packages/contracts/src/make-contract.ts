import { ANY_JSON } from './any-json.js';
import { checkCollect } from './collect.js';
import { checkNames } from './check-names.js';
import { checkOption } from './check-option.js';
import { makeRules } from './flow/make-rules.js';
import type { JobContract } from './job-contract.js';
import { readRules, type AnyOptions } from './read-rules.js';
import type { readSchemas } from './read-schemas.js';
import { markSensitive } from './sensitive/mark-sensitive.js';
import { makeUnique } from './unique/make-unique.js';
import type { UniqueOptions } from './unique/unique-options.js';

/** The contract of options, whose schemas were read. Throws `ContractError` as `defineJob`. */
export function makeContract(options: AnyOptions, read: ReturnType<typeof readSchemas>): JobContract {
  const { type, idempotencyKey } = options;
  checkNames(options);
  const rules = readRules(options);
  const { payloadJsonSchema, ...schemas } = read;
  const owner = { type, queue: rules.queue, payloadJsonSchema, sensitiveEver: schemas.sensitiveEver };
  const unique = makeUnique(owner, options.unique as UniqueOptions<never> | undefined);
  const collect = checkCollect(type, options.collect as never, payloadJsonSchema, options.isolate !== undefined);
  const { durable = false } = options;
  const isFine = durable === false || (durable === true && options.isolate === undefined && collect === undefined);
  checkOption(type, 'durable', durable, isFine, 'true or false, and not true together with isolate or collect');
  return Object.freeze({
    type,
    payload: options.payload,
    result: options.result ?? ANY_JSON,
    progress: options.progress ?? ANY_JSON,
    defaultPayload: options.defaultPayload,
    ...rules,
    ...schemas,
    payloadJsonSchema: markSensitive(payloadJsonSchema, schemas.sensitive),
    keyOf: unique?.keyOf ?? idempotencyKey ?? null,
    unique: unique?.rule ?? null,
    flow: makeRules(owner, options),
    isolate: options.isolate,
    collect,
    durable,
    subscription: null,
    map: null,
  });
}

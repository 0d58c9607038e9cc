import { ContractError } from './contract-error.js';
import { checkOption } from './check-option.js';
import type { JsonSchema } from './describe-schema.js';
import { parseDuration, type Duration } from './duration.js';
import { isName, NAME_RULE } from './is-name.js';
import type { EncryptionPolicy, EventContract } from './job-contract.js';
import type { NoPast, PastOptions, PastPayloads } from './past.js';
import type { PlainJson } from './plain-json.js';
import type { AnyOptions } from './read-rules.js';
import { readSchemas } from './read-schemas.js';
import type { SensitivePath } from './sensitive/sensitive-path.js';
import { tellUnknown } from './tell-unknown.js';
import type { InputOf, JsonSchemaOf, OutputOf, StandardSchema } from './standard-schema.js';

/** The payload that you publish. */
export type EventInput<E extends EventContract> = InputOf<E['payload']>;

/** Options of `defineEvent`. */
interface EventOptions<TVersion extends number, TPayload extends StandardSchema> {
  /** Its stable name, such as `order_paid`: letters, digits, `_`, `-` and `.`, a letter first, at most 63 characters. */
  readonly name: string;
  /** As in `JobOptions`: each job that a subscriber gets has the payload and the version of its event. */
  readonly version?: TVersion;
  readonly payload: TPayload;
  readonly payloadJsonSchema?: JsonSchema;
  readonly sensitive?: readonly NoInfer<SensitivePath<OutputOf<TPayload>>>[];
  readonly encryption?: EncryptionPolicy;
  /** Keeps each published event so long, so that a new subscriber can be given it: `'7d'`; default: none is kept. */
  readonly keep?: Duration;
}

const KNOWN = {
  name: 0,
  version: 0,
  past: 0,
  payload: 0,
  payloadJsonSchema: 0,
  sensitive: 0,
  encryption: 0,
  keep: 0,
} satisfies Record<keyof EventOptions<number, StandardSchema> | 'past', 0>;

/**
 * Defines an event once, for those who publish it and for its subscribers. Throws `ContractError` as `defineJob` does for
 * a name, an option or a payload.
 */
export function defineEvent<
  TPayload extends StandardSchema,
  const TVersion extends number = 1,
  TPast extends PastPayloads = NoPast,
>(
  options: EventOptions<TVersion, TPayload> &
    JsonSchemaOf<TPayload, 'payloadJsonSchema', JsonSchema> &
    PlainJson<TPayload, 'payload'> &
    PastOptions<TVersion, TPayload, TPast>,
): EventContract<TPayload> {
  const { name, keep, version = 1 } = options as EventOptions<number, TPayload>;
  if (!isName(name))
    throw new ContractError('invalid_job_type', `${JSON.stringify(name)} is not a name for an event: ${NAME_RULE}.`);
  try {
    return makeEvent({ ...options, type: name } as never, { name, keep, version, payload: options.payload });
  } catch (error) {
    // options of a job are read by the same rules
    throw ContractError.is(error) ? new ContractError(error.code, error.message.replace(/^Job /, 'Event ')) : error;
  }
}

function makeEvent<TPayload extends StandardSchema>(
  { type, ...options }: AnyOptions,
  { name, keep, version, payload }: { name: string; keep?: Duration | undefined; version: number; payload: TPayload },
): EventContract<TPayload> {
  const unknown = tellUnknown(options, KNOWN, {});
  if (unknown !== null) throw new ContractError('invalid_job_option', `Event ${name}: ${unknown}.`);
  const isVersion = Number.isInteger(version) && version >= 1 && version <= 2_147_483_647;
  checkOption(type, 'version', version, isVersion, 'a whole number from 1');
  const keepMs = keep === undefined ? null : parseDuration(keep);
  checkOption(type, 'keep', keep, keepMs === null || keepMs >= 1_000, 'at least "1s"');
  const { payloadJsonSchema, past, oldestVersion, sensitive, sensitiveEver, encryption } = readSchemas({
    ...options,
    type,
  });
  const versions = { version, past, oldestVersion };
  return Object.freeze({
    ...{ name, payload, payloadJsonSchema, ...versions, sensitive, sensitiveEver, encryption, keepMs },
  });
}

import { ContractError } from './contract-error.js';
import { describeSchema } from './describe-schema.js';
import type { PlainJson } from './plain-json.js';
import { checkSensitive } from './sensitive/check-sensitive.js';
import { isName, NAME_RULE } from './is-name.js';
import { isSensitivePath } from './sensitive/is-sensitive-path.js';
import type { SensitivePath } from './sensitive/sensitive-path.js';
import { isStandardSchema, type InputOf, type OutputOf, type StandardSchema } from './standard-schema.js';

/** A message to a waiting run; made by `defineSignal` only. */
export interface SignalContract<TPayload extends StandardSchema = StandardSchema, TBy extends string = string> {
  readonly name: string;
  readonly payload: TPayload;
  readonly by: readonly TBy[];
  /** The paths of its sensitive values. */
  readonly sensitive: readonly string[];
}

/** The payload that you send. */
export type SignalInput<S extends SignalContract> = InputOf<S['payload']>;
/** What a handler gets. */
export type SignalOutput<S extends SignalContract> = OutputOf<S['payload']>;
/** The fields by which sender and handler find each other. */
export type SignalKey<S extends SignalContract> = {
  readonly [K in S['by'][number]]: K extends keyof SignalOutput<S> ? SignalOutput<S>[K] : never;
};

/** The fields of a payload whose values can be a part of a key. */
type KeyField<T> = {
  [K in keyof T & string]-?: T[K] extends string | number | boolean ? K : never;
}[keyof T & string];

const MAX_KEY = 255;

/**
 * Defines a signal once, for senders and for the handlers that wait for it. `by` names the payload fields that both
 * must have in common: `['orderId']`. `sensitive` names values that are always stored encrypted, so a process without a
 * key ring sends none. Throws `ContractError`: `invalid_signal`, `sensitive_unknown`, and `flow_path_sensitive` if `by`
 * names a sensitive value, because it is kept in plain text.
 */
export function defineSignal<TPayload extends StandardSchema, const TBy extends KeyField<OutputOf<TPayload>>>(
  options: {
    readonly name: string;
    readonly payload: TPayload;
    readonly by: readonly TBy[];
    readonly sensitive?: readonly SensitivePath<OutputOf<TPayload>>[];
  } & PlainJson<TPayload, 'payload'>,
): SignalContract<TPayload, TBy> {
  const { name, payload, by } = options;
  if (!isName(name)) throw refuse(`${JSON.stringify(name)} is not a name for it: ${NAME_RULE}`);
  if (!isStandardSchema(payload)) throw refuse(`${name} needs a payload, a schema that implements Standard Schema`);
  if (!Array.isArray(by) || by.length === 0) throw refuse(`${name} needs at least one field in by`);
  const sensitive = checkMarks(name, payload, options.sensitive);
  const marked = by.find((field) => isSensitivePath({ sensitiveEver: sensitive }, [field]));
  if (marked !== undefined)
    throw new ContractError(
      'flow_path_sensitive',
      `Signal ${name}: it is found by ${JSON.stringify(marked)}, which is sensitive, but keys are stored in plain text.`,
    );
  return Object.freeze({ name, payload, by: [...by], sensitive });
}

function checkMarks(name: string, payload: StandardSchema, paths: readonly string[] = []): readonly string[] {
  if (paths.length === 0) return [];
  const schema = describeSchema({ type: name, part: 'payload', schema: payload, given: undefined });
  return checkSensitive({ owner: `Signal ${name}`, part: 'payload', paths, schema });
}

/**
 * The key of a payload, or of what a handler waits for. Throws `ContractError` (`invalid_signal`) where a field has not got
 * a value that can be one, or all of them are longer than 255 characters.
 */
export function keyOfSignal({ name, by }: SignalContract, values: unknown): string {
  const parts = by.map((field) => (values as Readonly<Record<string, unknown>> | null | undefined)?.[field]);
  for (const [at, part] of parts.entries())
    if (!['string', 'number', 'boolean'].includes(typeof part))
      throw refuse(
        `${name} is found by ${by[at]}, which must be a text, a number, true or false, not ${JSON.stringify(part)}`,
      );
  const key = JSON.stringify(parts.length === 1 ? parts[0] : parts);
  if (key.length > MAX_KEY) throw refuse(`${name} has a key of ${key.length} characters; the limit is ${MAX_KEY}`);
  return key;
}

const refuse = (why: string): ContractError => new ContractError('invalid_signal', `Signal not valid: ${why}.`);

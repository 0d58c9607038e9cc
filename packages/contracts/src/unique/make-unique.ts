import { checkOption } from '../check-option.js';
import { ContractError } from '../contract-error.js';
import { parseDuration, type Duration } from '../duration.js';
import { checkFlowPath, type PathOwner } from '../flow/check-flow-path.js';
import type { FlowValue } from '../flow/flow-options.js';
import type { UniqueOptions, UniqueRule } from './unique-options.js';

const CONFLICTS = ['keep', 'replace', 'earliest', 'refuse', 'cancel_running', 'once_more'] as const;
const WHILES = ['alive', 'waiting', 'kept'] as const;

export interface MadeUnique {
  readonly rule: UniqueRule;
  /** null: the key is the idempotency key. */
  readonly keyOf: ((payload: unknown) => string) | null;
}

/** The names that lead to the value of `by`; null: none do, or a function makes it. */
export const uniquePath = (by: unknown): readonly string[] | null => (typeof by === 'string' ? by.split('.') : null);

/** The rule of a contract; null: it has none. Throws `ContractError` (`invalid_job_option`, or for its path). */
export function makeUnique(owner: PathOwner, options: UniqueOptions<never> | undefined): MadeUnique | null {
  if (options === undefined) return null;
  checkOption(owner.type, 'unique', options, typeof options === 'object', 'a rule, such as { by: "orderId" }');
  const { onConflict = 'keep', per, maxDelay, by } = options;
  const holds = options.while ?? (onConflict === 'replace' ? 'waiting' : per === undefined ? 'alive' : 'kept');
  const check = (option: string, value: unknown, isValid: boolean, expected: string): void => {
    if (!isValid)
      throw new ContractError(
        'invalid_job_option',
        `Job ${owner.type}: unique.${option} must be ${expected}, not ${JSON.stringify(value)}.`,
      );
  };
  check('onConflict', onConflict, CONFLICTS.includes(onConflict), `one of ${CONFLICTS.join(', ')}`);
  check('while', holds, WHILES.includes(holds), `one of ${WHILES.join(', ')}`);
  if (onConflict === 'replace')
    check('while', holds, holds === 'waiting', '"waiting", because one that runs has its payload');
  if (onConflict === 'once_more') {
    check('per', per, per !== undefined, 'given with "once_more"');
    check('while', holds, holds === 'kept', '"kept" with "once_more", whose time is its period');
  }
  check('maxDelay', maxDelay, maxDelay === undefined || onConflict === 'replace', 'given with "replace" alone');
  const time = (option: string, value: Duration | undefined): number | null => {
    if (value === undefined) return null;
    const ms = parseDuration(value);
    check(option, value, ms >= 1, 'at least "1ms"');
    return ms;
  };
  const rule = { while: holds, perMs: time('per', per), onConflict, maxDelayMs: time('maxDelay', maxDelay) };
  return { rule: Object.freeze(rule), keyOf: by === undefined ? null : makeKey(owner, by) };
}

function makeKey(owner: PathOwner, by: NonNullable<UniqueOptions<never>['by']>): (payload: unknown) => string {
  if (typeof by === 'function') return (payload) => toKey((by as (payload: unknown) => FlowValue)(payload));
  const path = checkFlowPath(owner, 'unique.by', by, 'value');
  return (payload) =>
    toKey(path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], payload));
}

/**
 * The text of a value. A key has at least one character, so what is missing is a dash, an empty text two, and a text of
 * dashes alone has two more: each is another key. An object stays as it is, and is refused as a key: its text tells nothing apart.
 */
function toKey(value: unknown): string {
  if (value === undefined || value === null) return '-';
  if (typeof value === 'string') return /^-*$/.test(value) ? `--${value}` : value;
  const isTold = typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value);
  return isTold ? String(value) : (value as string);
}

import { type Duration, MAX_UNITS, parseDuration } from '@duework/contracts';
import { DueworkError } from '@duework/queue-core';
import type { FlowChange, RuleKind } from './flow-rule.js';

/** What of a rule of each kind can be changed. An order or the turns of tenants are a matter of their contracts. */
const CHANGEABLE: { readonly [K in RuleKind]: readonly (keyof FlowChange)[] } = {
  limit: ['max'],
  rate: ['max', 'per', 'burst'],
  breaker: ['share', 'of', 'pause'],
  order: [],
  tenant: [],
};

/** A change as it is stored, null where something is taken back. Throws `invalid_option`. */
export function readChange(kind: RuleKind, change: FlowChange): { readonly [field: string]: number | null } {
  const changeable = CHANGEABLE[kind];
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  for (const [field] of given)
    if (!changeable.includes(field as keyof FlowChange))
      refuse(
        field,
        changeable.length === 0
          ? `declared in a contract: nothing of a rule of the kind ${kind} is changed`
          : `no part of a ${kind}: that has ${changeable.join(', ')}`,
        change[field as keyof FlowChange],
      );
  if (given.length === 0) refuse('change', `at least one of ${changeable.join(', ')}`, change);
  const { max, per, burst, share, of, pause } = change;
  whole('max', max, 1, MAX_UNITS);
  whole('burst', burst, 1, MAX_UNITS);
  whole('of', of, 2, 10_000);
  if (typeof share === 'number' ? !(share > 0 && share <= 1) : share !== undefined && share !== null)
    refuse('share', 'above 0 and up to 1', share);
  const read = { max, perMs: toMs('per', per), burst, share, of, pauseMs: toMs('pause', pause) };
  return Object.fromEntries(
    Object.entries(read).filter((entry): entry is [string, number | null] => entry[1] !== undefined),
  );
}

function whole(option: string, value: unknown, from: number, to: number): void {
  if (value === undefined || value === null) return;
  if (!(typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to))
    refuse(option, `a whole number from ${from} to ${to.toLocaleString('en')}`, value);
}

function toMs(option: string, value: Duration | null | undefined): number | null | undefined {
  if (value === undefined || value === null) return value;
  const ms = readDuration(option, value);
  if (ms < 1) refuse(option, 'at least "1ms"', value);
  return ms;
}

/** A duration in milliseconds. Throws `invalid_option`. */
export function readDuration(option: string, value: Duration): number {
  try {
    return parseDuration(value);
  } catch (cause) {
    throw new DueworkError(
      'invalid_option',
      { option, expected: 'a duration such as "30s" or "90d", of at most ten years', value },
      { cause },
    );
  }
}

function refuse(option: string, expected: string, value: unknown): never {
  throw new DueworkError('invalid_option', { option, expected, value });
}

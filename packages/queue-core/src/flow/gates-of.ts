import { createHash } from 'node:crypto';
import { MAX_UNITS, type FlowRule, type FlowValue, type JobContract } from '@duework/contracts';
import { DueworkError } from '@duework/sql/errors';
import { findUnstorableText } from '@duework/sql/errors';

/** Where a run has to stand in line, and how much it takes there. */
export interface Gates {
  /** The keys, in the order in which they are asked. */
  readonly gates: readonly string[];
  /** Not given: 1 of each. */
  readonly units?: readonly number[];
}

/** Of a longer value its key has the SHA-256. */
const MAX_VALUE_LENGTH = 200;

/**
 * The gates of a run with this payload, which its contract has parsed; null: it has none, and runs as soon as it is
 * due. Of a tenant the key names the `queue` that the run goes to. `duework.gates_of` makes the same keys in SQL.
 * Throws `invalid_flow_value` for a value that tells nothing apart (an object, a list), and for units that are no whole
 * number from 1 to 1,000,000.
 */
export function gatesOf(
  { type, flow, queue: own }: Pick<JobContract, 'type' | 'flow' | 'queue'>,
  payload: unknown,
  queue = own,
): Gates | null {
  if (flow === null) return null;
  const gates = flow.map((rule) =>
    keyOf(type, rule.kind === 'tenant' ? { ...rule, name: `tenant/${queue}` } : rule, payload),
  );
  const units = flow.map((rule) => unitsOf(type, rule, payload));
  return units.every((each) => each === 1) ? { gates } : { gates, units };
}

/** The key of one rule for a payload. Throws `invalid_flow_value`, and what the rule's function throws. */
export function keyOf(type: string, { name, by }: FlowRule, payload: unknown): string {
  if (by === null) return name;
  const value = typeof by === 'function' ? by(payload) : valueAt(payload, by);
  const refuse = (reason: string): Error => new DueworkError('invalid_flow_value', { type, rule: name, reason });
  const text = textOf(value as FlowValue, refuse);
  const unstorable = findUnstorableText(text);
  if (unstorable !== null) throw refuse(`the value by which runs are told apart ${unstorable}`);
  return `${name}/${shorten(text)}`;
}

function unitsOf(type: string, { name, units }: FlowRule, payload: unknown): number {
  if (typeof units === 'number') return units;
  const value = typeof units === 'function' ? units(payload) : valueAt(payload, units);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_UNITS) return value;
  const reason = 'how much a run takes is a whole number from 1 to 1,000,000';
  throw new DueworkError('invalid_flow_value', { type, rule: name, reason });
}

/** What lies at a path; undefined: nothing. */
function valueAt(payload: unknown, path: readonly string[]): unknown {
  let value = payload;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function textOf(value: FlowValue, refuse: (reason: string) => Error): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return plain(value);
  const found = Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : String(value);
  throw refuse(`runs are told apart by a text, a number or a boolean, not by ${found}`);
}

/** A number as PostgreSQL writes it, without an exponent. */
function plain(value: number): string {
  const [, sign, whole, part = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))!;
  if (exponent === undefined) return String(value);
  const places = Number(exponent);
  const digits = `${whole}${part}`;
  return places < 0
    ? `${sign}0.${'0'.repeat(-places - 1)}${digits}`
    : `${sign}${digits}${'0'.repeat(places - part.length)}`;
}

function shorten(text: string): string {
  // PostgreSQL counts characters, and JavaScript halves of surrogate pairs
  if (text.length <= MAX_VALUE_LENGTH || Array.from(text).length <= MAX_VALUE_LENGTH) return text;
  return `#${createHash('sha256').update(text).digest('hex')}`;
}

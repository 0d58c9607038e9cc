import type { JobContract, JsonSchema } from '@duework/contracts';

const MAX_REASON = 200;
const MAX_READ = 2_000;

/**
 * Why a payload was refused, without anything that is in it: indices and keys that no schema declares become `*`, and
 * texts and numbers of the payload become `…`, should a message quote one. So equal mistakes have equal reasons.
 */
export function hideValues(why: string, payload: unknown, declared: ReadonlySet<string>): string {
  const values = new Set<string>();
  collect(payload, declared, values);
  const longestFirst = [...values].sort((a, b) => b.length - a.length);
  const parts = why.slice(0, MAX_READ).split('; ');
  const hidden = parts.map((part) => {
    const [, head = '', pointer = '', message = ''] =
      /^(version \d+(?:, lifted from \d+ to \d+)?: )?((?:\/\S*)?)([^]*)$/.exec(part) ?? [];
    return `${head}${hidePath(pointer, declared)}${hideIn(message, longestFirst)}`.trim();
  });
  const text = hidden.join('; ').replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
  return text.length > MAX_REASON ? `${text.slice(0, MAX_REASON - 1)}…` : text;
}

/** The names of all properties that a contract has ever declared. */
export function declaredNames(contract: JobContract): ReadonlySet<string> {
  const known = namesOf.get(contract);
  if (known !== undefined) return known;
  const names = readNames(contract);
  namesOf.set(contract, names);
  return names;
}

/** A contract does not change. */
const namesOf = new WeakMap<JobContract, ReadonlySet<string>>();

function readNames({ payloadJsonSchema, past }: JobContract): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties } = value as { properties?: unknown };
    if (typeof properties === 'object' && properties !== null && !Array.isArray(properties))
      for (const name of Object.keys(properties)) names.add(name);
    Object.values(value).forEach(walk);
  };
  const schemas: JsonSchema[] = [
    payloadJsonSchema,
    ...Array.from(past.values(), (version) => version.payloadJsonSchema),
  ];
  schemas.forEach(walk);
  return names;
}

function collect(value: unknown, declared: ReadonlySet<string>, into: Set<string>): void {
  if (typeof value === 'string' && value.trim() !== '') into.add(value).add(JSON.stringify(value).slice(1, -1));
  if (typeof value === 'number') into.add(String(value));
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) for (const key of Object.keys(value)) if (!declared.has(key)) collect(key, declared, into);
  for (const item of Object.values(value)) collect(item, declared, into);
}

function hideIn(message: string, values: readonly string[]): string {
  let text = message;
  for (const value of values) {
    if (!text.includes(value)) continue;
    const quoted = value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // a short one would be found inside the words of the message
    text =
      value.length > 3
        ? text.replaceAll(value, '…')
        : text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${quoted}(?![\\p{L}\\p{N}])`, 'gu'), '…');
  }
  return text;
}

/** A pointer into a payload without anything that is in it: indices and keys that no schema declares become `*`. */
export const hidePath = (pointer: string, declared: ReadonlySet<string>): string =>
  pointer
    .split('/')
    .map((name) => (name === '' || declared.has(unescape(name)) ? name : '*'))
    .join('/');

const unescape = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

import { inspect } from 'node:util';

const MAX_SHOWN = 100;

/**
 * Where a value differs from what is expected of it, as `payload.orderId is 8`. Fields that are not expected are not looked
 * at, and never shown. Matchers of Jest and Vitest (`expect.any(String)`) may stand for a value.
 */
export function findDifferences(expected: unknown, actual: unknown, at: string): string[] {
  if (isMatcher(expected)) return expected.asymmetricMatch(actual) ? [] : [tell(at, actual)];
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [tell(at, actual)];
    if (actual.length !== expected.length) return [`${at} has ${actual.length} items`];
    return expected.flatMap((item, index) => findDifferences(item, actual[index], `${at}[${index}]`));
  }
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, actual) ? [] : [tell(at, actual)];
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return [tell(at, actual)];
  return Object.entries(expected).flatMap(([name, value]) =>
    findDifferences(value, (actual as Record<string, unknown>)[name], `${at}.${name}`),
  );
}

interface Matcher {
  asymmetricMatch(actual: unknown): boolean;
}

function isMatcher(expected: unknown): expected is Matcher {
  return typeof (expected as Partial<Matcher> | null)?.asymmetricMatch === 'function';
}

function tell(at: string, actual: unknown): string {
  return actual === undefined ? `${at} is not there` : `${at} is ${show(actual)}`;
}

/** A value on one line, as much of it as fits. */
export function show(value: unknown): string {
  const text = inspect(value, { breakLength: Infinity, depth: 3, maxArrayLength: 10 });
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
}

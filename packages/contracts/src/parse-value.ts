import { ContractError } from './contract-error.js';
import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.js';
import { toPointer } from './to-pointer.js';

/** What a schema made of a value, or what it refused. No message names what was given. */
export type Parsed =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly issues: readonly ParseIssue[] };

export interface ParseIssue {
  /** RFC 6901; `''` for the value itself. */
  readonly pointer: string;
  readonly message: string;
}

/**
 * Parses a value by a schema of any validator. Throws `ContractError` (`async_schema`) for one that answers later, and
 * what a rule of the schema throws.
 */
export function parseValue(schema: StandardSchema, value: unknown): Parsed {
  const standard = schema['~standard'];
  if (standard.vendor === 'zod' && 'safeParse' in schema) return parseZod(schema as unknown as Zod, value);
  const result = standard.validate(value);
  if ('then' in result) throw refuseLater(standard.vendor, result);
  if (result.issues !== undefined) return refused(standard.vendor, result.issues);
  return { success: true, data: result.value };
}

interface Zod {
  safeParse(
    value: unknown,
  ): { success: true; data: unknown } | { success: false; error: { issues: readonly StandardIssue[] } };
}

/** zod's `validate` would turn what a rule throws into a promise; `safeParse` lets it through. */
function parseZod(schema: Zod, value: unknown): Parsed {
  try {
    const parsed = schema.safeParse(value);
    return parsed.success ? { success: true, data: parsed.data } : refused('zod', parsed.error.issues);
  } catch (error) {
    if (error instanceof Error && /synchronous parse/i.test(error.message)) throw asyncSchema('zod', error);
    throw error;
  }
}

function refused(vendor: string, issues: readonly StandardIssue[]): Parsed {
  return {
    success: false,
    issues: issues.map((issue) => ({ pointer: toPointer(issue.path ?? []), message: tellExpected(vendor, issue) })),
  };
}

/** Codes whose text, or whose `expected`, repeats the value: an enum of zod 3, a union of arktype. */
const REPEATS_VALUE = new Set<unknown>(['invalid_enum_value', 'union']);

/**
 * What was expected, and never what was given, because reasons are stored with runs and logged. The messages of valibot
 * and arktype repeat the value; apart from it they say what was `expected`.
 */
function tellExpected(vendor: string, issue: StandardIssue & { expected?: unknown; code?: unknown }): string {
  if (REPEATS_VALUE.has(issue.code)) return 'is none of the values or shapes that its schema lists';
  if (vendor !== 'zod' && vendor !== 'duework')
    return typeof issue.expected === 'string' ? `expected ${issue.expected}` : 'does not fit its schema';
  return issue.message;
}

function refuseLater(vendor: string, result: Promise<StandardResult<unknown>>): ContractError {
  // nobody awaits it, so that its failure would end the process
  result.catch(() => {});
  return asyncSchema(vendor);
}

function asyncSchema(vendor: string, cause?: unknown): ContractError {
  return new ContractError(
    'async_schema',
    `A schema of ${vendor} returned a promise. Duework parses payloads and results synchronously: move asynchronous checks to the handler.`,
    { cause },
  );
}

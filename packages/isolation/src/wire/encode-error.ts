import { readSqlstate } from '@duework/queue-core/handling';

type Plain = string | number | boolean | null;
type Fields = Readonly<Record<string, Plain | Readonly<Record<string, Plain>>>>;

/** Any thrown value as plain JSON; everything that `classifyError` reads survives. */
export type WireError =
  | { readonly kind: 'value'; readonly value: Plain }
  | { readonly kind: 'object'; readonly isError: boolean; readonly fields: Fields; readonly cause: WireError | null };

/** Errors may keep some of these on their class instead of on themselves. */
const NAMED = ['name', 'message', 'stack', 'code', 'status', 'statusCode', 'responseCode', 'by'];
const MAX_TEXT = 16_000;
const MAX_CAUSES = 4;

/** Stands for a proxy that throws whenever it is read. */
const UNREADABLE: WireError = {
  kind: 'object',
  isError: true,
  fields: {
    name: 'Error',
    code: 'unreadable_error',
    message: 'What was thrown cannot be read: it throws when it is looked at.',
  },
  cause: null,
};

/** Never throws, whatever was thrown. */
export function encodeError(error: unknown, depth = 0): WireError {
  try {
    return encode(error, depth);
  } catch {
    return UNREADABLE;
  }
}

function encode(error: unknown, depth: number): WireError {
  if (typeof error !== 'object' || error === null) {
    const value = toPlain(error);
    return { kind: 'value', value: value === undefined ? String(error) : value };
  }
  const fields: Record<string, Plain | Record<string, Plain>> = {
    ...plainOf(error, Object.keys(error)),
    ...plainOf(error, NAMED),
  };
  // the answer that an HTTP client attaches
  const response = read(error, 'response');
  if (typeof response === 'object' && response !== null) fields['response'] = plainOf(response, ['status']);
  // the SQLSTATE, which Prisma hides in the error of a raw query, and Drizzle in a cause
  const [meta, query, params, below] = ['meta', 'query', 'params', 'cause'].map((name) => read(error, name));
  const sqlstate = readSqlstate({ code: fields['code'], meta, query, params, cause: below });
  if (sqlstate !== null) fields['code'] = sqlstate;
  const cause = depth < MAX_CAUSES ? read(error, 'cause') : undefined;
  return {
    kind: 'object',
    isError: error instanceof Error,
    fields,
    cause: cause === undefined ? null : encodeError(cause, depth + 1),
  };
}

function plainOf(object: object, names: readonly string[]): Record<string, Plain> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = toPlain(read(object, name));
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** undefined: not a plain value. */
function toPlain(value: unknown): Plain | undefined {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : undefined;
}

/** A getter may throw. */
function read(object: object, name: string): unknown {
  try {
    return (object as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

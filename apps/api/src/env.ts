import { DatabaseError, parseDatabaseUrl } from '@duework/database';
import { DEFAULT_PAYLOAD_LIMIT_BYTES, parseKeyRing } from '@duework/queue-core';
import { z } from 'zod';

const wholeNumber = (min: number, max: number, fallback: number) => {
  const expected = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected)
    .default(fallback);
};

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  /** 0: any free port. */
  API_PORT: wholeNumber(0, 65_535, 4600),
  DATABASE_URL: z
    .string('is not set. Set it to postgres://USER:PASSWORD@HOST:5432/DATABASE')
    .superRefine((url, context) => {
      try {
        parseDatabaseUrl(url);
      } catch (error) {
        context.addIssue(`is wrong. ${DatabaseError.is(error) ? error.message : String(error)}`);
      }
    }),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  /** At most as large as a whole batch. */
  PAYLOAD_LIMIT_BYTES: wholeNumber(1, 16 * 1024 * 1024, DEFAULT_PAYLOAD_LIMIT_BYTES),
  /** The keys of sensitive values, `k2:<base64>,k1:<base64>`. */
  DUEWORK_KEYS: z
    .string()
    .optional()
    .transform((text, context) => {
      try {
        return parseKeyRing(text);
      } catch (error) {
        context.addIssue(`is wrong. ${(error as Error).message}`);
        return null;
      }
    }),
  DATABASE_POOL_SIZE: wholeNumber(1, 1_000, 10),
});

export type Env = z.infer<typeof schema>;

export type EnvReading =
  { readonly ok: true; readonly env: Env } | { readonly ok: false; readonly lines: readonly string[] };

/** Never shown, because its value may hold a password. */
const SECRET = new Set(['DATABASE_URL', 'DUEWORK_KEYS']);

/**
 * Reads the environment; no other file does. A variable that is set to nothing counts as not set. When a variable is
 * wrong, returns one readable line for each, for the caller to print.
 */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): EnvReading {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, env: parsed.data };
  const lines = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return SECRET.has(name) ? `${name} ${message}` : `${name} ${message}, but it is ${JSON.stringify(given[name])}`;
  });
  return { ok: false, lines: [...new Set(lines)] };
}

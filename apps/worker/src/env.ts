import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { catalog } from '@duework/shop';
import { parseDatabaseUrl } from '@duework/database';
import { z } from 'zod';
import { shopVariables } from './shop/shop-variables.js';
import { numberFrom, wholeNumber } from './whole-number.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const QUEUES: readonly string[] = [...new Set(catalog.map((contract) => contract.queue))];
/** Never shown, not even when its value is wrong. */
const SECRETS = new Set(['DATABASE_URL', 'SMTP_URL', 'WEBHOOK_SECRET', 'ALERT_WEBHOOK_URL']);

const databaseUrl = z
  .string('must be set, to postgres://USER:PASSWORD@HOST:5432/DATABASE')
  .superRefine((url, context) => {
    try {
      parseDatabaseUrl(url);
    } catch (error) {
      context.addIssue(`is wrong. ${(error as Error).message}`);
    }
  });

const queues = z
  .string()
  .transform((list) => [
    ...new Set(
      list
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  ])
  .refine(
    (names) => names.length > 0 && names.every((name) => QUEUES.includes(name)),
    `must be a comma list of ${QUEUES.join(', ')}`,
  )
  .default([...QUEUES]);

const schema = z.object({
  DATABASE_URL: databaseUrl,
  HOST: z.string().default('127.0.0.1'),
  WORKER_PORT: wholeNumber(0, 65_535, 4601),
  WORKER_NAME: z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 characters without spaces')
    .default(() => `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`),
  CONCURRENCY: wholeNumber(1, 1_000, 10),
  BUFFER: wholeNumber(0, 10_000, 2_000),
  QUEUES: queues,
  ENGINE_CLIENT: z.enum(['prisma', 'pg'], 'must be prisma or pg').default('prisma'),
  POLL_INTERVAL_MS: numberFrom(10, 60_000).optional(),
  SHUTDOWN_DEADLINE_MS: wholeNumber(0, 3_600_000, 10_000),
  RETENTION_DAYS: wholeNumber(1, 36_500, 30),
  RETENTION_DEAD_DAYS: wholeNumber(1, 36_500, 90),
  ALERT_DEAD_PER_HOUR: wholeNumber(0, 1_000_000, 10),
  ALERT_WAITING_SECONDS: wholeNumber(1, 31_536_000, 300),
  ALERT_UNREAD_SECONDS: wholeNumber(1, 31_536_000, 300),
  ALERT_HORIZON_SECONDS: wholeNumber(1, 31_536_000, 300),
  ALERT_FAILED_PERCENT: wholeNumber(1, 100, 50),
  ALERT_WEBHOOK_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  ...shopVariables,
});

export type Env = z.infer<typeof schema>;

export type EnvReading =
  { readonly ok: true; readonly env: Env } | { readonly ok: false; readonly lines: readonly string[] };

/**
 * Reads the environment; no other file does. A variable that is set to nothing counts as not set. When a variable is
 * wrong, returns one readable line for each, for the caller to print; no line has the value of a secret.
 */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): EnvReading {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, env: parsed.data };
  const lines = new Map<string, string>();
  for (const { path, message } of parsed.error.issues) {
    const name = String(path[0]);
    const isShown = given[name] !== undefined && !SECRETS.has(name);
    if (!lines.has(name))
      lines.set(name, `${name} ${message}${isShown ? `, but it is ${JSON.stringify(given[name])}` : ''}`);
  }
  return { ok: false, lines: [...lines.values()] };
}

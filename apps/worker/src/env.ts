import { parseDatabaseUrl, readPgVariables } from '@duework/database';
import { z } from 'zod';
import { shopVariables } from './shop/shop-variables.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** Never shown, not even when its value is wrong. */
const SECRETS = new Set(['DATABASE_URL', 'SHARDS', 'SMTP_URL', 'WEBHOOK_SECRET']);

const databaseUrl = z
  .string('must be set, to postgres://USER:PASSWORD@HOST:5432/DATABASE, or PGHOST, PGUSER, PGPASSWORD and PGDATABASE')
  .superRefine((url, context) => {
    try {
      parseDatabaseUrl(url);
    } catch (error) {
      context.addIssue(`is wrong. ${(error as Error).message}`);
    }
  });

const schema = z.object({
  DATABASE_URL: databaseUrl,
  /** Read by `runWorker`; each shard has a client of its own. */
  SHARDS: z.string().optional(),
  ENGINE_CLIENT: z.enum(['prisma', 'pg'], 'must be prisma or pg').default('prisma'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  ...shopVariables,
});

export type Env = z.infer<typeof schema>;

export type EnvReading =
  | { readonly ok: true; readonly env: Env }
  | { readonly ok: false; readonly lines: readonly string[] };

/**
 * Reads the program's own part of the environment; the rest of it is read by `runWorker`. A variable that is set to
 * nothing counts as not set. When a variable is wrong, returns one readable line for each, for the caller to print; no
 * line has the value of a secret.
 */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): EnvReading {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse({ DATABASE_URL: readPgVariables(source), ...given });
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

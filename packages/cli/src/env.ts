import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { DATABASE_WAIT_MS, DatabaseError, parseDatabaseUrl, readPgVariables } from '@duework/database';
import { type KeyRing, parseKeyRing } from '@duework/queue-core';
import { parseShardUrls, type ShardUrls } from '@duework/shards';
import { PlainError } from './plain-error.js';

/** Variables that came from a `.env`. */
const fromFiles = new Set<string>();

/**
 * Takes what `.env` and `.env.local` of the folder say of variables that the environment does not have, as other tools do.
 * Of two files, and of two folders, the later one counts. `${NAME}` in a value is that variable.
 */
export function loadEnvFiles(dir: string): void {
  const read = new Set<string>();
  for (const file of ['.env', '.env.local'].map((name) => resolve(dir, name))) {
    if (!existsSync(file)) continue;
    for (const [name, value] of Object.entries(parseEnv(readText(file)))) {
      if (process.env[name] !== undefined && !fromFiles.has(name)) continue;
      process.env[name] = value;
      fromFiles.add(name);
      read.add(name);
    }
  }
  // only now, because they come in no order
  for (const name of read) process.env[name] = fillIn(process.env[name]!, [name]);
}

/** Editors and shells of Windows begin a file with a mark, and PowerShell writes UTF-16. */
function readText(file: string): string {
  const bytes = readFileSync(file);
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');
}

/** What nothing is known of stays as it is: a password may have a dollar sign. */
function fillIn(value: string, within: readonly string[]): string {
  return value.replace(/\$\{(\w+)\}/g, (whole, name: string) => {
    const known = process.env[name];
    if (known === undefined || within.includes(name)) return whole;
    return fromFiles.has(name) ? fillIn(known, [...within, name]) : known;
  });
}

/** Whether npm, npx, pnpm or yarn has started this program. */
export const isStartedByNpm = (): boolean => process.env['npm_execpath'] !== undefined;

/**
 * DATABASE_URL of the environment, which no other file reads, or what PGHOST and its siblings say in its place; undefined:
 * neither is set.
 *
 * @throws PlainError `database_url_invalid`, one line without the password
 */
export function readDatabaseUrl(
  source: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const url = source['DATABASE_URL']?.trim() || readPgVariables(source);
  if (!url) return undefined;
  try {
    parseDatabaseUrl(url);
    return url;
  } catch (error) {
    const why = DatabaseError.is(error) ? error.message : String(error);
    throw new PlainError('database_url_invalid', `DATABASE_URL is wrong. ${why}`);
  }
}

/**
 * DATABASE_WAIT_MS: for how long `migrate` waits for a database that is not there yet.
 *
 * @throws PlainError `options_invalid`, one line
 */
export function readDatabaseWaitMs(source: Readonly<Record<string, string | undefined>> = process.env): number {
  const given = source['DATABASE_WAIT_MS']?.trim() || String(DATABASE_WAIT_MS);
  if (/^\d{1,8}$/.test(given) && Number(given) <= 86_400_000) return Number(given);
  throw new PlainError(
    'options_invalid',
    `DATABASE_WAIT_MS must be a whole number from 0 to 86400000, but it is ${JSON.stringify(given)}.`,
  );
}

/** SHARDS, the databases of a queue over several; undefined: it is not set. Throws `shards_invalid`, one line without a password. */
export function readShards(source: Readonly<Record<string, string | undefined>> = process.env): ShardUrls | undefined {
  const text = source['SHARDS']?.trim();
  if (!text) return undefined;
  try {
    return parseShardUrls(text);
  } catch (error) {
    throw new PlainError('shards_invalid', `SHARDS is wrong. ${(error as Error).message}`);
  }
}

/**
 * Whether REPLICATED asks for a database that is on another server, too.
 *
 * @throws PlainError `options_invalid`, one line
 */
export function readReplicated(source: Readonly<Record<string, string | undefined>> = process.env): boolean {
  const given = source['REPLICATED']?.trim() ?? '';
  if (given === '' || given === 'required') return given !== '';
  throw new PlainError(
    'options_invalid',
    `REPLICATED must be required, or left out, but it is ${JSON.stringify(given)}.`,
  );
}

/** The key ring of DUEWORK_KEYS; null: it is not set. Throws `DueworkError` (`invalid_key_ring`). */
export function readKeyRing(source: Readonly<Record<string, string | undefined>> = process.env): KeyRing | null {
  return parseKeyRing(source['DUEWORK_KEYS']);
}

/** The Redis of a dedicated queue; null: DUEWORK_REDIS_URL is not set. */
export function readRedis(
  source: Readonly<Record<string, string | undefined>> = process.env,
): { readonly url: string; readonly prefix: string | undefined } | null {
  const url = source['DUEWORK_REDIS_URL']?.trim();
  return url ? { url, prefix: source['DUEWORK_REDIS_PREFIX']?.trim() || undefined } : null;
}

/** The Redis in which an application keeps its jobs of BullMQ; null: REDIS_URL is not set. */
export const readBullmqUrl = (source: Readonly<Record<string, string | undefined>> = process.env): string | null =>
  source['REDIS_URL']?.trim() || null;

/** Where the API is and the key for it, for those who have no database; undefined: not set. */
export const readApi = (
  source: Readonly<Record<string, string | undefined>> = process.env,
): { readonly url: string | undefined; readonly key: string | undefined } => ({
  url: source['DUEWORK_API_URL']?.trim() || undefined,
  key: source['DUEWORK_API_KEY']?.trim() || undefined,
});

/** NODE_ENV: what is for development need not be there. */
export const isProduction = (): boolean => process.env['NODE_ENV'] === 'production';

/** Who runs the command; a container may have a user without a name. */
export function readUser(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env['USER'] ?? 'unknown';
  }
}

/** What a worker for development is started with: nobody asks for its probes, whose port another one may have. */
export const workerEnv = (url: string): NodeJS.ProcessEnv => ({
  WORKER_PORT: 'none',
  ...process.env,
  DATABASE_URL: url,
});

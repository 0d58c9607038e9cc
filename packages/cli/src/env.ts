import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseError, parseDatabaseUrl } from '@duework/database';

export type EnvReading =
  { readonly ok: true; readonly databaseUrl: string } | { readonly ok: false; readonly line: string };

/** Takes what `.env` of the folder says of variables that the environment does not have, as other tools do. */
export function loadEnvFile(cwd: string): void {
  const file = resolve(cwd, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/**
 * Reads the environment; no other file does. When it refuses, returns one readable line without the password. `isSet`
 * is what tells an empty variable from a wrong one.
 */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): EnvReading {
  const url = source['DATABASE_URL']?.trim();
  if (!url)
    return {
      ok: false,
      line: 'DATABASE_URL is not set. Set it, or put it into .env: DATABASE_URL=postgres://USER:PASSWORD@HOST:5432/DATABASE',
    };
  try {
    parseDatabaseUrl(url);
    return { ok: true, databaseUrl: url };
  } catch (error) {
    return {
      ok: false,
      line: `DATABASE_URL is wrong. ${error instanceof DatabaseError ? error.message : String(error)}`,
    };
  }
}

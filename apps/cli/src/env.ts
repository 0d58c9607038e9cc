import { DatabaseError, parseDatabaseUrl } from '@duework/database';

export type EnvReading =
  { readonly ok: true; readonly databaseUrl: string } | { readonly ok: false; readonly line: string };

/** Reads the environment; no other file does. When it refuses, returns one readable line without the password. */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): EnvReading {
  const url = source['DATABASE_URL']?.trim();
  if (!url)
    return { ok: false, line: 'DATABASE_URL is not set. Set it to postgres://USER:PASSWORD@HOST:5432/DATABASE' };
  try {
    parseDatabaseUrl(url);
    return { ok: true, databaseUrl: url };
  } catch (error) {
    return {
      ok: false,
      line: `DATABASE_URL is wrong. ${DatabaseError.is(error) ? error.message : String(error)}`,
    };
  }
}

import { PlainError } from '../plain-error.js';

/** @throws PlainError `database_url_missing`: one line with the fix */
export function requireDatabaseUrl(url: string | undefined): string {
  if (url !== undefined) return url;
  throw new PlainError(
    'database_url_missing',
    'DATABASE_URL is not set. Set it, or put it into .env: DATABASE_URL=postgres://USER:PASSWORD@HOST:5432/DATABASE',
  );
}

import { PlainError } from '../plain-error.js';

/** @throws PlainError `database_url_missing`: one line with the fix */
export function requireDatabaseUrl(url: string | undefined): string {
  if (url !== undefined) return url;
  throw new PlainError(
    'database_url_missing',
    'DATABASE_URL is not set, nor PGHOST and PGDATABASE, and no duework dev runs here. Start one (npx duework dev), or put the database into .env: DATABASE_URL=postgres://USER:PASSWORD@HOST:5432/DATABASE, or PGHOST, PGUSER, PGPASSWORD and PGDATABASE',
  );
}

import pg from 'pg';
import type { CostsServer } from './start-costs-server.js';

export interface Clone {
  readonly name: string;
  readonly url: string;
  drop(): Promise<unknown>;
}

let made = 0;

/** A copy of a database, in which the server tracks planning or does not. */
export async function cloneDatabase(
  { url, admin }: CostsServer,
  template: string,
  { isPlanningTracked, isLarge = false }: { readonly isPlanningTracked: boolean; readonly isLarge?: boolean },
): Promise<Clone> {
  made += 1;
  const name = `costs_${made}`;
  // a copy of the files begins and ends with a checkpoint; one through the log takes longer the more there is
  const strategy = isLarge ? 'FILE_COPY' : 'WAL_LOG';
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY ${strategy}`);
  await admin.query(
    `ALTER DATABASE ${name} SET pg_stat_statements.track_planning = ${isPlanningTracked ? 'on' : 'off'}`,
  );
  const target = new URL(url);
  target.pathname = `/${name}`;
  return {
    name,
    url: target.toString(),
    drop: () => admin.query(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

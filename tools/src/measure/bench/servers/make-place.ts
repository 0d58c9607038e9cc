import { queryOnce } from '../systems/query-once.js';
import type { BenchPostgres } from './start-bench-postgres.js';

/** The database or server on which one system is measured once. */
export interface Place {
  readonly url: string;
  /** The process of a server of its own; undefined: the PostgreSQL of the whole run. */
  readonly serverPid?: number | undefined;
  drop(): Promise<unknown>;
}

export interface Template {
  readonly name: string;
  readonly url: string;
}

let made = 0;

/** The same server, another database. */
function withDatabase(url: string, name: string): string {
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.toString();
}

/** A database as `prepare` leaves it, to be cloned for each measurement, so that none inherits another one's bloat. */
export async function makeTemplate(
  postgres: BenchPostgres,
  prepare: (url: string) => Promise<void>,
): Promise<Template> {
  made += 1;
  const name = `bench_template_${made}`;
  await queryOnce(postgres.url, `CREATE DATABASE ${name} TEMPLATE template0 STRATEGY FILE_COPY`);
  const url = withDatabase(postgres.url, name);
  await prepare(url);
  return { name, url };
}

/** An empty database. */
export async function makeDatabase(postgres: BenchPostgres): Promise<Place> {
  return clonePlace(postgres, { name: 'template0', url: postgres.url }, 'WAL_LOG');
}

/**
 * A fresh clone, on a server that has nothing left to write (a copy of the files begins and ends with a checkpoint).
 */
export async function clonePlace(
  postgres: BenchPostgres,
  template: Template,
  strategy: 'FILE_COPY' | 'WAL_LOG',
): Promise<Place> {
  made += 1;
  const name = `bench_${made}`;
  await queryOnce(postgres.url, `CREATE DATABASE ${name} TEMPLATE ${template.name} STRATEGY ${strategy}`);
  return {
    url: withDatabase(postgres.url, name),
    drop: () => queryOnce(postgres.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

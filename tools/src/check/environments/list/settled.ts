import type { Environment } from '../environment.js';
import type { DatabaseOptions } from '../lab.js';

const database = (name: string, options: DatabaseOptions, isQuick?: true, refusal?: RegExp): Environment => ({
  name,
  ...(isQuick && { isQuick }),
  prepare: async (lab, named) => ({
    url: await lab.makeDatabase(named, options),
    ...(refusal === undefined ? {} : { refusal }),
  }),
});
const defaults = (name: string, ...settings: readonly string[]): Environment => database(name, { defaults: settings });

const TIMEOUTS = [
  `statement_timeout = '2s'`,
  `lock_timeout = '100ms'`,
  `idle_in_transaction_session_timeout = '500ms'`,
  `idle_session_timeout = '1s'`,
];
const FORMS = [
  `TimeZone = 'Asia/Kathmandu'`,
  `DateStyle = 'SQL, DMY'`,
  `IntervalStyle = 'sql_standard'`,
  'standard_conforming_strings = off',
  `bytea_output = 'escape'`,
  'extra_float_digits = -10',
  'array_nulls = off',
  `xmloption = 'document'`,
];

/** What an administrator has set for the database. */
export const settled: readonly Environment[] = [
  database('LATIN1', { encoding: 'LATIN1' }, true, /encoding of this database is LATIN1/),
  database('SQL_ASCII', { encoding: 'SQL_ASCII' }, true, /encoding of this database is SQL_ASCII/),
  defaults('read committed', `default_transaction_isolation = 'read committed'`),
  defaults('repeatable read', `default_transaction_isolation = 'repeatable read'`),
  database('serializable', { defaults: [`default_transaction_isolation = 'serializable'`] }, true),
  database(
    'read only unless it is asked otherwise',
    { defaults: ['default_transaction_read_only = on'] },
    undefined,
    /read-only transaction/,
  ),
  database('time limits of statements, locks and sessions', { defaults: TIMEOUTS }, true),
  database('other forms of times, texts and bytes', { defaults: FORMS }, true),
  defaults('an empty search_path', `search_path = ''`),
  database(
    'a search_path with other things of the same names',
    {
      sql: `CREATE SCHEMA evil; CREATE FUNCTION evil.now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT 'epoch'::timestamptz $$;
        CREATE FUNCTION evil.require_transaction(text) RETURNS boolean LANGUAGE sql AS $$ SELECT false $$;
        CREATE TABLE evil.job_runs (); CREATE TABLE evil.workers (); CREATE TABLE evil.migrations ()`,
      defaults: ['search_path = evil'],
    },
    true,
  ),
  defaults('a planner without index scans', 'enable_indexscan = off', 'enable_indexonlyscan = off'),
  defaults('other encodings of the client', `client_encoding = 'LATIN1'`),
  database('a publication of all tables', { sql: 'CREATE PUBLICATION everything FOR ALL TABLES' }, true),
];

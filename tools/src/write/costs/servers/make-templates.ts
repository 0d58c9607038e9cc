import { connectPg } from '@duework/database';
import { createTemplateDatabase } from '@duework/database/testing';
import { createPostgresStore } from '@duework/queue-core';
import { makeAdapter } from '../../../measure/bench/systems/duework.js';
import { openClient } from '../../../kit/open-client.js';
import { catalog } from '../cases/contracts.js';
import { cloneDatabase } from './clone-database.js';
import type { CostsServer } from './start-costs-server.js';

/** What lies beside the work. */
export type Surroundings = 'nothing' | 'many rows';

/**
 * How many finished rows there are, and as many future ones: indexes are as deep as with a million, in a third of the
 * time.
 */
const ROWS_AROUND = 300_000;

/** Ids of transactions are sent as text, so they must all have as many digits, however many the migrations take. */
const FIRST_TRANSACTION = 10_000;
const TAKE_IDS = `
  DO $$ BEGIN
    WHILE pg_current_xact_id()::text::bigint < ${FIRST_TRANSACTION} LOOP
      COMMIT;
    END LOOP;
  END $$`;

/** The databases that the cases' own are copied from. */
export async function makeTemplates(server: CostsServer): Promise<Readonly<Record<Surroundings, string>>> {
  const nothing = await createTemplateDatabase(server.url);
  const url = new URL(server.url);
  url.pathname = `/${nothing.name}`;
  const db = connectPg({ url: url.toString(), poolSize: 1 });
  await createPostgresStore({ db }).prepare(catalog);
  await db.$disconnect();
  await server.admin.query(TAKE_IDS);
  return { nothing: nothing.name, 'many rows': await fill(server, nothing.name) };
}

async function fill(server: CostsServer, template: string): Promise<string> {
  const { name, url } = await cloneDatabase(server, template, { isPlanningTracked: false });
  await makeAdapter({ client: 'pg' }).fill(url, { finished: ROWS_AROUND, future: ROWS_AROUND });
  const client = await openClient(url);
  // no ANALYZE, which looks at rows by chance
  await client.query('VACUUM');
  await client.end();
  return name;
}

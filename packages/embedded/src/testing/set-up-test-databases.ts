import {
  createTemplateDatabase,
  type MigrateToo,
  type TemplateDatabase,
  testServerVariable,
  testTemplateVariable,
} from '@duework/database/testing';
import { startTestServer, type TestServer } from './start-test-server.js';

export interface TestDatabasesOptions {
  /** The team's own migrations; called once, with the URL of the database that all others are cloned from. */
  readonly migrate?: MigrateToo;
}

/** What there is in this process, over all loads of this module: Jest loads setup and teardown apart. */
interface Standing {
  server: TestServer | null;
  template: TemplateDatabase | null;
  /** Stops the server at once, also one that is just being started; for the end of the process. */
  stopNow: () => void;
}
const KEPT = Symbol.for('duework.test-databases');

/**
 * Makes the global setup of Jest or Vitest: its own PostgreSQL with a migrated database, which `createTestDatabase`
 * clones in each test file. `DUEWORK_TEST_DATABASE_URL` names a server to use instead.
 *
 * It returns the teardown, which Vitest awaits; Jest has it as `globalTeardown`. Without it the server stops with the
 * process; a server that was given keeps the migrated database. The server of a run that was killed is stopped by the
 * next run.
 */
export function setUpTestDatabases({ migrate }: TestDatabasesOptions = {}): () => Promise<() => Promise<void>> {
  return async () => {
    const standing = standingHere();
    const url = standing.server?.url ?? process.env[testServerVariable] ?? (await startServer(standing)).url;
    await standing.template?.drop();
    standing.template = await createTemplateDatabase(url, migrate);
    await standing.template.seal();
    process.env[testServerVariable] = url;
    process.env[testTemplateVariable] = standing.template.name;
    return tearDownTestDatabases;
  };
}

/** Undoes `setUpTestDatabases` in this process. */
export async function tearDownTestDatabases(): Promise<void> {
  const standing = standingHere();
  const { server, template } = standing;
  standing.template = null;
  await template?.drop();
  if (server === null) return;
  delete process.env[testServerVariable];
  await server.stop();
  standing.server = null;
  standing.stopNow = () => {};
}

function standingHere(): Standing {
  const scope = globalThis as { [KEPT]?: Standing };
  if (scope[KEPT] === undefined) {
    const standing: Standing = { server: null, template: null, stopNow: () => {} };
    scope[KEPT] = standing;
    process.once('exit', () => standing.stopNow());
  }
  return scope[KEPT];
}

async function startServer(standing: Standing): Promise<TestServer> {
  standing.server = await startTestServer({ onPrepared: (stopNow) => (standing.stopNow = stopNow) });
  return standing.server;
}

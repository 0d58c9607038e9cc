import { spawn } from 'node:child_process';
import { testServerVariable, testTemplateVariable } from '@duework/database/testing';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';

/** The project of a team that has installed Duework, with its own table: packages/testing/outsider. */
const project = new URL('../../outsider/', import.meta.url).pathname;
const jest = new URL('../../../../node_modules/jest/bin/jest.js', import.meta.url).pathname;
const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;
const ourServer = process.env[testServerVariable]!;

interface Ended {
  readonly code: number | null;
  readonly output: string;
  /** What its test files said: where their database was, and what it was cloned from. */
  readonly servers: ReadonlySet<string>;
  readonly databases: ReadonlySet<string>;
}

function run(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, [testTemplateVariable]: undefined, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const said = [...output.matchAll(/database (postgres:\S+)\/(\w+) of (\w+)/g)];
      resolve({
        code,
        output,
        servers: new Set(said.map(([, server]) => server!)),
        databases: new Set(said.flatMap(([, , database, template]) => [database!, template!])),
      });
    });
  });
}

/** Those of the databases that are there. Throws where the server is not. */
async function stillThere(server: string, names: ReadonlySet<string>): Promise<string[]> {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datname = ANY($1)', [
    [...names],
  ]);
  await client.end();
  return rows.map(({ datname }) => datname);
}

/** Each starts a test runner, and one of them a server. */
const TIMEOUT_MS = 180_000;

describe('a team tests its jobs in rolled-back transactions of a migrated database for each file', () => {
  test(
    'with Jest, on a server that stops with it',
    async () => {
      const { code, output, servers, databases } = await run([jest], {
        SHOW_FAILURE: '1',
        [testServerVariable]: undefined,
      });
      expect(output).toContain('Tests:       2 failed, 6 passed, 8 total');
      expect(output).toContain('No send_receipt with the payload { orderId: 8 } was enqueued.\n');
      expect(output).toMatch(/Jobs of that type:\n\s+\d{16}, queued for \S+: payload\.orderId is 7\n/);
      expect(output).not.toMatch(/\b4111|did not exit/);
      expect(code).toBe(1);
      // two files, and what they are cloned from
      expect(databases.size).toBe(3);
      await expect(stillThere([...servers][0]!, databases)).rejects.toThrow('ECONNREFUSED');
    },
    TIMEOUT_MS,
  );

  test.each<[string, readonly string[], Readonly<Record<string, string | undefined>>]>([
    ['Jest', [jest], { TEAR_DOWN: '1' }],
    ['Vitest', [vitest, 'run'], { NODE_OPTIONS: undefined }],
  ])(
    'with %s, on a server that is given, in which nothing is left behind',
    async (_, args, env) => {
      const { code, output, servers, databases } = await run(args, env);
      expect(output).toMatch(/Tests:?\s+6 passed/);
      expect(code).toBe(0);
      expect(Array.from(servers, (server) => new URL(server).port)).toEqual([new URL(ourServer).port]);
      expect(databases.size).toBe(3);
      expect(await stillThere([...servers][0]!, databases)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'and is told what to do where the setup is missing',
    async () => {
      const { code, output } = await run([vitest, 'run', '--config', 'no-setup.config.mjs'], {
        NODE_OPTIONS: undefined,
        [testServerVariable]: undefined,
      });
      expect(output).toContain('There is no server for tests: name');
      expect(code).toBe(1);
    },
    TIMEOUT_MS,
  );
});

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../lib/plain-error.mjs';
import { root } from '../lib/paths.mjs';
import { showProgress } from '../lib/show-progress.mjs';
import { checkPorts } from './check-ports.mjs';
import { seedMain } from './settings.mjs';

const built = (path) => import(join(root, 'packages/database/dist', path));

/**
 * The database of this start: the one of DATABASE_URL, or an embedded one with its data in .duework.
 *
 * @returns {Promise<{ url: string, isEmbedded: boolean, stop: () => Promise<void>, stopNow: () => void }>}
 */
export async function openDatabase({ databaseUrl, dataDir, ports }, say) {
  if (databaseUrl !== undefined)
    return { url: databaseUrl, isEmbedded: false, stop: async () => {}, stopNow: () => {} };
  const { startEmbeddedPostgres } = await built('embedded/index.js');
  const notes = [];
  const port = ports.POSTGRES_PORT;
  const server = await showProgress('Starting PostgreSQL', () =>
    startEmbeddedPostgres({ dataDir, port, database: 'duework', onProgress: (note) => notes.push(note) }),
  ).catch(async (error) => {
    // The same refusal as for the other ports, which also says who has it.
    if (error.code === 'embedded_port_taken') await checkPorts([{ variable: 'POSTGRES_PORT', port }]);
    throw error;
  });
  if (server.isReused) notes.forEach((note) => say(note));
  return { url: server.url, isEmbedded: true, stop: server.stop, stopNow: server.stopNow };
}

/** Brings it up to date. */
export async function migrate(url, say) {
  const { migrateDatabase } = await built('migrate/index.js');
  const { appliedMigrationNames: names } = await showProgress('Migrating', () =>
    migrateDatabase({ url, onProgress: () => {} }),
  );
  if (names.length > 0)
    say(`Applied ${names.length === 1 ? 'migration' : `${names.length} migrations:`} ${names.join(', ')}`);
}

/** Puts something into an empty shop. */
export async function seed(env) {
  const program = join(root, seedMain);
  if (!existsSync(program)) return;
  await showProgress('Seeding', async () => {
    const { code, output } = await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program], {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
      child.on('error', reject);
      child.on('close', (exitCode) => resolve({ code: exitCode, output: text }));
    });
    if (code !== 0)
      throw new PlainError(`Seeding failed (exit code ${code}): ${output.trim().split('\n').slice(-5).join('\n')}`);
  });
}

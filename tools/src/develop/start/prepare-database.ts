import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError } from '@duework/database';
import { startEmbeddedPostgres } from '@duework/embedded';
import { migrateDatabase } from '@duework/database/migrate';
import { root } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import { checkPorts } from './check-ports.js';
import { seedMain, type StartSettings } from './settings.js';

type Say = (line: string) => void;

export interface StartDatabase {
  readonly url: string;
  readonly isEmbedded: boolean;
  stop(): Promise<void>;
  /** Stops it at once; for exit handlers. */
  stopNow(): void;
}

/** The database of this start: the one of DATABASE_URL, or an embedded one with its data in .duework. */
export async function openDatabase(settings: StartSettings, say: Say): Promise<StartDatabase> {
  const { databaseUrl, dataDir, ports } = settings;
  if (databaseUrl !== undefined)
    return { url: databaseUrl, isEmbedded: false, stop: async () => {}, stopNow: () => {} };
  const notes: string[] = [];
  const port = ports.POSTGRES_PORT;
  const onProgress = (note: string): void => void notes.push(note);
  const server = await showProgress('Starting PostgreSQL', () =>
    startEmbeddedPostgres({ dataDir, port, database: 'duework', onProgress }),
  ).catch(async (error: unknown) => {
    // The same error as for the other ports, which also names the process that has it.
    if (DatabaseError.is(error) && error.code === 'embedded_port_taken')
      await checkPorts([{ variable: 'POSTGRES_PORT', port }]);
    throw error;
  });
  if (server.isReused) notes.forEach((note) => say(note));
  return { url: server.url, isEmbedded: true, stop: () => server.stop(), stopNow: () => server.stopNow() };
}

/** Migrates the database. */
export async function migrate(url: string, say: Say): Promise<void> {
  const { appliedMigrationNames: names } = await showProgress('Migrating', () =>
    migrateDatabase({ url, onProgress: () => {} }),
  );
  if (names.length > 0)
    say(`Applied ${names.length === 1 ? 'migration' : `${names.length} migrations:`} ${names.join(', ')}`);
}

/** Writes the demo data into an empty shop; into a playground a morning's work, too. */
export async function seed({ isPlayground }: StartSettings, env: Readonly<Record<string, string>>): Promise<void> {
  const program = join(root, seedMain);
  if (!existsSync(program)) return;
  await showProgress('Seeding', async () => {
    const { code, output } = await runToEnd(program, isPlayground ? ['--morning'] : [], env);
    if (code !== 0)
      throw new PlainError(`Seeding failed (exit code ${code}): ${output.trim().split('\n').slice(-5).join('\n')}`);
  });
}

function runToEnd(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

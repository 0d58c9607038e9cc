import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectPrisma, type PrismaClient } from '@duework/database';
import { registerSchedules, scheduleRequest, due } from '@duework/schedules';
import { installPgBouncer } from '../../kit/servers/install-from-debian.js';
import { type StartedPgBouncer, startPgBouncer } from '../../kit/servers/start-pgbouncer.js';
import type { Cable, Lab } from './faults/fault.js';
import { newCatalog, SCHEDULES, slotted } from './jobs.js';
import { installWitness } from './observer/install-witness.js';
import type { OnWarning, Warned } from './observer/warned.js';
import { openPeople, type People } from './open-people.js';
import { openWorkers } from './open-workers.js';
import { nowMs, openHistory, type WriteEvent } from './processes/open-history.js';
import type { Options } from './read-options.js';
import { openDirect } from './servers/open-direct.js';
import { startTorturedPostgres } from './servers/start-postgres.js';
import { startReplicatedPostgres } from './servers/start-replicated-postgres.js';

export interface OpenedLab extends Lab {
  /** The folder of the history. */
  readonly dir: string;
  readonly write: WriteEvent;
  readonly db: PrismaClient;
  /** Null: no worker is behind PgBouncer. */
  readonly pgbouncer: StartedPgBouncer | null;
  readonly people: People;
  /** To add to a time of the history for the date, in ms. */
  readonly offsetMs: number;
  /** Of every process of the lab, until now. */
  readonly warnings: readonly Warned[];
}

/** Starts the product and its users, with a witness in its database. */
export async function openLab(options: Options): Promise<OpenedLab> {
  if (options.pooler === 'required') installPgBouncer();
  const postgres = options.replicas === 0 ? await startTorturedPostgres(options) : await startReplicatedPostgres();
  const { url, port } = postgres;
  const dir = join(postgres.dir, 'history');
  mkdirSync(dir);
  writeFileSync(join(dir, 'effects.jsonl'), '');
  const write = openHistory(join(dir, 'history-lab.jsonl'));
  const direct = openDirect(url);
  await installWitness(direct, options.sampleEvery);
  const db = connectPrisma({ url, poolSize: 2, applicationName: 'torture-lab' });
  await registerSchedules(
    db,
    newCatalog,
    SCHEDULES.map((rule) => scheduleRequest(slotted, { ...rule, payload: { schedule: rule.key, dueTime: due.iso() } })),
    { program: 'torture', version: 1 },
  );
  const pgbouncer = options.pooler === 'none' ? null : await startPgBouncer({ dir: postgres.dir, url });
  const warnings: Warned[] = [];
  const onWarning: OnWarning = (warned) => void warnings.push(warned);
  // this process runs the engine too
  process.on('warning', ({ name, message }) => onWarning({ by: 'lab', line: `${name}: ${message}` }));
  const offsetMs = Date.now() - nowMs();
  const workers = await openWorkers({
    url,
    port,
    poolerPort: pgbouncer?.port ?? null,
    clients: options.clients,
    dir,
    count: options.workers,
    perSecond: options.perSecond,
    sampleEvery: options.sampleEvery,
    note: write,
    onWarning,
  });
  const people = await openPeople({ url, port, dir, options, note: write, onWarning });
  const cables = (): Cable[] => [
    ...workers.places.flatMap(({ current, proxy }) => (current === null ? [] : [{ name: current.name, proxy }])),
    ...people.cables,
  ];
  return { postgres, direct, workers, cables, dir, write, db, pgbouncer, people, offsetMs, warnings };
}

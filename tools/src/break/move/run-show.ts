/**
 * Jobs of each state are moved from an old system to Duework, and back, while workers of both run them, the mover is killed over
 * and over, and so is each server. A file outside all of them knows what has run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../../bootstrap/paths.mjs';
import { onEnd } from '../../kit/clean-up.js';
import { makeDataDir, removeDir } from '../../kit/data-dirs.js';
import { seededRandom, type SeededRandom } from '../../kit/seeded-random.js';
import { toolPath } from '../../kit/tool-path.js';
import type { Verdict } from '../torture/report/print-verdicts.js';
import { judgeMove, type Kill } from './judge-move.js';
import { STATES, type Seed, type Standing } from './old/old-place.js';
import { openPlaces, type Places, type System } from './open-places.js';
import { keepRunning, startProgram } from './start-program.js';
import { readWitness } from './witness.js';

export interface ShowOptions {
  readonly system: System;
  readonly isApart: boolean;
  /** Of each state. */
  readonly jobs: number;
  /** How often the mover is killed each way, and each server. */
  readonly kills: number;
  readonly serverKills: number;
  readonly seed: number;
}

export interface ShowReport {
  readonly title: string;
  readonly verdicts: readonly Verdict[];
}

const COMMAND = join(root, 'packages/cli/dist/main.js');
/**
 * It is killed at most so long after it has begun, or has moved something: so that jobs are left for the other faults.
 */
const LATEST_MS = 3_000;
const JOBS_PER_MS = 8;
const MOST_STARTS = 10;

type Say = (line: string) => void;

export async function runShow(options: ShowOptions, say: Say): Promise<readonly ShowReport[]> {
  const { system, isApart, seed } = options;
  const places = await openPlaces(system, isApart);
  const dir = makeDataDir('move-witness');
  onEnd(() => removeDir(dir));
  const witness = join(dir, 'runs');
  writeFileSync(witness, '');
  const jobs = Array.from({ length: options.jobs * STATES.length }, (_, n): Seed => ({ n, state: STATES[n % 4]! }));
  say(
    `${system}${isApart ? ', in a database of its own' : ''}: ${options.jobs} jobs of each state (${STATES.join(', ')}), seed ${seed}`,
  );
  await places.old.seed(jobs);
  const before = await places.old.read();
  const reports: ShowReport[] = [];
  const kills: Kill[] = [];
  const random = seededRandom(seed);
  for (const side of ['here', 'there'] as const) {
    const workers = startWorkers(places, witness);
    const title = await moveThrough(places, options, side, random, kills, say);
    for (const worker of workers) await worker.stop();
    const [here, there] = [await readHere(places), await places.old.read()];
    const runs = readWitness(witness);
    reports.push({ title, verdicts: judgeMove({ jobs, runs, before, here, there, side, kills }) });
    say(`${title}; ${runs.size} have run`);
  }
  await places.stop();
  return reports;
}

function startWorkers({ old, databaseUrl }: Places, witness: string) {
  const module = toolPath('break/move/jobs.js');
  const env = { DATABASE_URL: databaseUrl, WORKER_PORT: 'none', CONCURRENCY: '4', WITNESS: witness };
  return [
    keepRunning(() => startProgram([toolPath('break/move/old-worker.js'), old.name, old.url], { WITNESS: witness })),
    keepRunning(() => startProgram([COMMAND, '--jobs', module, 'worker'], env)),
  ];
}

/** Moves everything to a side, through every fault; answers with how. */
async function moveThrough(
  places: Places,
  { jobs, kills: moverKills, serverKills, isApart }: ShowOptions,
  side: 'here' | 'there',
  random: SeededRandom,
  kills: Kill[],
  say: Say,
): Promise<string> {
  const { old, databaseUrl, servers } = places;
  const module = toolPath('break/move/jobs.js');
  const env = {
    DATABASE_URL: databaseUrl,
    ...(old.name === 'bullmq' ? { REDIS_URL: old.url } : {}),
  };
  const way = [...(side === 'here' ? [] : ['--undo']), ...(isApart ? ['--from-database', old.url] : [])];
  const start = () => startProgram([COMMAND, '--jobs', module, 'move', '--from', old.name, '--yes', ...way], env);
  const begunMs = Date.now();
  const faults = random.shuffle<Places['servers'][number] | null>([
    ...Array.from({ length: moverKills }, () => null),
    ...servers.flatMap((server) => Array.from({ length: serverKills }, () => server)),
  ]);
  const latest = Math.min(LATEST_MS, Math.ceil((4 * jobs) / faults.length / JOBS_PER_MS));
  let done = 0;
  for (const server of faults) {
    const mover = start();
    const latestMs = random.between(0, latest);
    // now and then before it has moved anything
    if (random.isIn(0.8)) await mover.until('moved');
    await Promise.race([pause(latestMs), mover.ended]);
    if (server !== null) {
      const fromMs = Date.now();
      await server.kill();
      kills.push({ fromMs, toMs: Date.now() });
    }
    mover.kill('SIGKILL');
    const how = await mover.ended;
    if (how === 0) break;
    done++;
    say(
      `${server?.name ?? 'the mover'} killed, ${Math.round((Date.now() - begunMs) / 1_000)} s: ${lastLine(mover.said())}`,
    );
  }
  await moveAll(start);
  const seconds = Math.round((Date.now() - begunMs) / 1_000);
  return `${old.name}, ${4 * jobs} jobs ${side}: ${done} of ${faults.length} faults, ${seconds} s`;
}

const lastLine = (text: string): string =>
  text
    .trimEnd()
    .split(/[\r\n]/)
    .at(-1)!
    .slice(0, 120);

/** Without a fault, until it says that it is done. */
async function moveAll(start: () => ReturnType<typeof startProgram>): Promise<void> {
  for (let count = 1; ; count++) {
    const mover = start();
    if ((await mover.ended) === 0) return;
    if (count === MOST_STARTS) throw new Error(`The mover does not come to its end: ${mover.said()}`);
  }
}

async function readHere({ pool }: Places): Promise<readonly Standing[]> {
  const { rows } = await pool.query<Standing>(`
    SELECT (payload ->> 'n')::integer AS n,
      CASE status WHEN 'running' THEN 'running' WHEN 'dead' THEN 'failed' ELSE 'waiting' END AS is,
      extract(epoch FROM CASE status WHEN 'dead' THEN finished_at ELSE run_at END)::float8 * 1000 AS "atMs"
    FROM duework.jobs WHERE status <> 'succeeded'`);
  return rows;
}

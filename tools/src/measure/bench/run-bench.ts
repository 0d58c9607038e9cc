import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { findRedisVersion } from '../../kit/servers/start-redis.js';
import { withLimit } from '../../kit/with-limit.js';
import type { BenchOptions } from './bench-options.js';
import { watchForeignCpu } from './gauges/watch-foreign-cpu.js';
import type { Lab } from './measures/measure.js';
import { type PlannedTurn, planTurns } from './plan-turns.js';
import { endProcesses } from './processes/start-bench-process.js';
import type { Machine, Result, Run } from './report/run.js';
import { showTurn } from './report/show-turn.js';
import { readRivalVersion } from './rivals/import-rival.js';
import { installRivals } from './rivals/install-rivals.js';
import type { Place } from './servers/make-place.js';
import { makePlaces, type Places } from './servers/make-places.js';
import { settlePlace } from './servers/settle-place.js';
import { type BenchPostgres, startBenchPostgres } from './servers/start-bench-postgres.js';
import { fullSize, quickSize, type Size } from './sizes.js';

const TMPFS = 0x01021994;
const RIVALS = ['graphile-worker', 'pg-boss', 'bullmq', '@dbos-inc/dbos-sdk'];

/** The machine and the versions that were measured. */
function describeMachine({ version, settings, dir }: BenchPostgres): Machine {
  const { version: duework } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()} ${release()}`,
    isDataInMemory: existsSync(dir) && statfsSync(dir).type === TMPFS,
    versions: {
      node: process.versions.node,
      duework,
      postgres: version,
      redis: findRedisVersion(),
      ...Object.fromEntries(RIVALS.map((name) => [name, readRivalVersion(name)])),
    },
    settings,
  };
}

/** The time limit of one measure of one system; the longest takes a minute and a half. */
const LIMIT_MS = 600_000;

interface Surroundings {
  readonly lab: Lab;
  readonly places: Places;
  readonly size: Size;
}

/** Measures everything that was requested and returns all of it; a failed measurement is a result, too. */
export async function runBench(options: BenchOptions): Promise<Run> {
  const begunMs = performance.now();
  const { isQuick, measures, rounds, svg } = options;
  const { systems, missing } = await installRivals(options.systems, { isChartWanted: svg !== undefined });
  const postgres = await startBenchPostgres();
  const size = isQuick ? quickSize : fullSize;
  const lab: Lab = { postgres, settle: (place) => settlePlace(place, { isQuick }) };
  const places = makePlaces({ postgres, size, isQuick });
  const turns = planTurns({ ...options, systems });
  const results: Result[] = [];
  for (const [index, turn] of turns.entries()) {
    const { measure, system, round } = turn;
    const end = showTurn({ turn, index, count: turns.length, begunMs });
    const readForeignShare = watchForeignCpu([process.pid, postgres.pid]);
    const taken = await takeTurn(turn, { lab, places, size });
    end(taken);
    results.push({ measure: measure.name, system: system.name, round, ...taken, foreignCpu: readForeignShare() });
  }
  const machine = describeMachine(postgres);
  postgres.stop();
  const tookMs = performance.now() - begunMs;
  return { measures, systems, missing, rounds, size, isQuick, machine, tookMs, results };
}

/** Measures one system once, on a place of its own. */
async function takeTurn(
  { measure, system, round }: PlannedTurn,
  { lab, places, size }: Surroundings,
): Promise<Pick<Result, 'figures' | 'error'>> {
  let place: Place | undefined;
  try {
    place = await places.open(system, measure);
    const name = `${system.title}, ${measure.name}`;
    const turn = { system, lab, place, openEmpty: () => places.open(system), round, size, name };
    return { figures: await withLimit(measure.run(turn), LIMIT_MS, `${name}: not over`) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    // the processes of a failed measure
    await endProcesses();
    await place?.drop();
  }
}

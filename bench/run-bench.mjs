import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endProcesses, withLimit } from './processes/start-process.mjs';
import { describeMachine } from './report/describe-machine.mjs';
import { showTurn } from './report/show-turn.mjs';
import { watchForeignCpu } from './gauges/watch-foreign-cpu.mjs';
import { installRivals } from './rivals/install-rivals.mjs';
import { makePlaces } from './servers/make-places.mjs';
import { startPostgres } from './servers/start-postgres.mjs';
import { fullSize, quickSize } from './sizes.mjs';
import { queryOnce } from './systems/query-once.mjs';

const execFileAsync = promisify(execFile);

const SETTLE_MS = 300;
/** Of one measure of one system; the longest takes a minute and a half. */
const LIMIT_MS = 600_000;

/**
 * Measures everything that was asked for and returns all of it. In each round every measure visits every system before the
 * next one does, and the systems begin in another order each time, so that a noisy minute hits them all.
 */
export async function runBench(options) {
  const begunMs = performance.now();
  const { systems, missing } = await installRivals(options.systems, { isChartWanted: options.svg !== undefined });
  const postgres = await startPostgres();
  const size = options.isQuick ? quickSize : fullSize;
  const lab = { postgres, size, isQuick: options.isQuick, settle: (place) => settle(place, options.isQuick) };
  const places = makePlaces(lab);
  const turns = planTurns({ ...options, systems });
  const results = [];
  for (const [index, turn] of turns.entries()) {
    const end = showTurn({ turn, index, turns, begunMs });
    const readForeignShare = watchForeignCpu([process.pid, postgres.pid]);
    const result = await takeTurn(turn, { lab, places, size });
    end(result);
    result.foreignCpu = readForeignShare();
    results.push({ measure: turn.measure.name, system: turn.system.name, round: turn.round, ...result });
  }
  const machine = describeMachine(postgres);
  postgres.stop();
  return {
    measures: options.measures,
    systems,
    missing,
    rounds: options.rounds,
    size,
    isQuick: options.isQuick,
    machine,
    tookMs: performance.now() - begunMs,
    results,
  };
}

function planTurns({ measures, systems, rounds, isAsked, isQuick }) {
  const turns = [];
  for (let round = 0; round < rounds; round++) {
    for (const [index, measure] of measures.entries()) {
      if (round >= (measure.maxRounds ?? Infinity)) continue;
      const taking = systems.filter(
        (system) => (measure.takes?.(system, { isAsked }) ?? true) && !(isQuick && index > 0 && system.isVariant),
      );
      for (const place of taking.keys())
        turns.push({ round, measure, system: taking[(place + round) % taking.length] });
    }
  }
  return turns;
}

/** One measure of one system, on a place of its own. A failure is a result too. */
async function takeTurn({ measure, system, round }, { lab, places, size }) {
  let place;
  try {
    place = await places.open(system, measure);
    const name = `${system.title}, ${measure.name}`;
    return {
      figures: await withLimit(
        measure.run({ system, lab, place, openEmpty: () => places.open(system), round, size, name }),
        LIMIT_MS,
        `${name}: not over`,
      ),
    };
  } catch (error) {
    return { error: error.message };
  } finally {
    // those of a measure that was given up
    endProcesses();
    await place?.drop();
  }
}

/**
 * What was just loaded is written and known to the planner, so that it is not measured. What the system writes by and by, such as
 * copies of databases, is written as well: beside it the disk takes longer for each commit.
 */
async function settle(place, isQuick) {
  if (place.serverPid === undefined) await queryOnce(place.url, 'VACUUM (ANALYZE)', ...(isQuick ? [] : ['CHECKPOINT']));
  if (isQuick) return;
  // Windows has no such program
  await execFileAsync('sync').catch(() => {});
  await pause(SETTLE_MS);
}

import { readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openWorkers } from '../processes/open-workers.js';
import { queryOnce } from '../systems/query-once.js';
import type { Measure } from './measure.js';

const TURN_ON = `
  DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET log_statement = ''all''', current_database());
  END $$`;

/**
 * Makes the new sessions of a database write each statement to the server's log; sessions that are open already write
 * nothing. The returned function counts the statements since its last call.
 *
 * @param log the server's log file
 */
async function logStatements(url: string, log: string): Promise<() => Promise<number>> {
  await queryOnce(url, TURN_ON);
  let from = statSync(log).size;
  return async function countStatements() {
    const text = readFileSync(log).subarray(from).toString();
    from = statSync(log).size;
    return (text.match(/LOG: {2}(statement:|execute )/g) ?? []).length;
  };
}

/** A worker with nothing to do. */
export const idle: Measure = {
  name: 'idle',
  figures: [
    {
      key: 'queriesPerSecond',
      title: 'Idle worker: queries',
      unit: '1/s',
      isLessBetter: true,
      targets: [{ atMost: 1 }],
    },
    { key: 'cpuMsPerSecond', title: '  CPU of the worker', unit: 'ms/s', isLessBetter: true, targets: [{ atMost: 3 }] },
  ],
  maxRounds: 1,
  async run({ system, lab, place, size, name }) {
    const inspector = await (await system.load()).openInspector(place.url);
    const countStatements =
      inspector.countCommands === undefined
        ? await logStatements(place.url, lab.postgres.log)
        : inspector.countCommands.bind(inspector);
    const workers = await openWorkers({ system, url: place.url, job: 'nothing', name });
    try {
      workers.start();
      // the statements that it sends once, when it starts
      await pause(size.idle.settleMs);
      await countStatements();
      const [before] = await workers.read();
      await pause(size.idle.measuredMs);
      const [after] = await workers.read();
      const seconds = size.idle.measuredMs / 1_000;
      return {
        queriesPerSecond: (await countStatements()) / seconds,
        cpuMsPerSecond: (after.cpuMicros - before.cpuMicros) / 1_000 / seconds,
      };
    } finally {
      await workers.stop();
      await inspector.close();
    }
  },
};

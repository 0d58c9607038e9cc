import { parseArgs } from 'node:util';
import { faults } from './faults/index.mjs';

const LONGEST_MINUTES = 600;
const names = faults.map(({ name }) => name).join(', ');

const help = `npm run torture [-- --minutes 10] [--seed 42] [--faults kill-worker,fill-disk] [--quick]

Runs the product (a PostgreSQL of its own, workers, producers, tickers, an operator) while faults are done to it, one after the
other and now and then two at once; then lets it drain, and an observer judges the history of everything that was called and
answered. All of it happens on loopback. Exit code 1: a promise was broken.

  --minutes N     how long faults come (10 unless given); then a minute or less for the rest
  --seed N        which faults come in which order, and what everybody does; told at the start, so that a run can be repeated
  --faults a,b    only these: ${names}
  --workers N     worker processes (3 unless given); the last one behind PgBouncer, where there is one on PATH
  --rate N        jobs per second (150 unless given)
  --quick         each fault once, at 60 jobs per second; figures are told and not judged
  --soak          an hour at 500 jobs per second with a fault each minute; every 20th run is looked at in detail
  --json FILE     writes the figures, for --svg and for people
  --svg FILE      draws what happened over time
  --keep          keeps the history (its folder is told)
  --help          this text
`;

/**
 * Reads the command line.
 *
 * @returns {{ ok: true, options: object, help: string } | { ok: false, line: string }} `line` says what is wrong and what there is
 */
export function readOptions(given) {
  try {
    const { values } = parseArgs({
      args: given,
      options: {
        minutes: { type: 'string' },
        seed: { type: 'string' },
        faults: { type: 'string' },
        workers: { type: 'string' },
        rate: { type: 'string' },
        quick: { type: 'boolean', default: false },
        soak: { type: 'boolean', default: false },
        json: { type: 'string' },
        svg: { type: 'string' },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { quick: isQuick, soak: isSoak } = values;
    const minutes = readNumber('--minutes', values.minutes ?? (isSoak ? '60' : '10'), 1, LONGEST_MINUTES);
    const chosen = pickFaults(values.faults);
    const options = {
      isHelpWanted: values.help,
      isSoak,
      isQuick,
      isKept: values.keep,
      json: values.json,
      svg: values.svg,
      seed: readNumber('--seed', values.seed ?? String(Math.floor(Math.random() * 1e9)), 0, 4_294_967_295),
      faults: chosen,
      workers: readNumber('--workers', values.workers ?? '3', 2, 16),
      perSecond: readNumber('--rate', values.rate ?? (isQuick ? '60' : isSoak ? '500' : '150'), 1, 2_000),
      maxMs: isQuick ? Infinity : minutes * 60_000,
      // of the quick form, each once; of the others more than there is time for
      turns: isQuick ? chosen.length : minutes * 60,
      isLoadMeasured: !isQuick && !isSoak,
      isPaired: !isQuick && !isSoak,
      everyMs: isSoak ? 60_000 : 0,
      sampleEvery: isSoak ? 20 : 1,
      gaugeMs: isSoak ? 5_000 : 1_000,
      diskMb: isSoak ? 6_144 : 1_024,
    };
    return { ok: true, options, help };
  } catch (error) {
    return { ok: false, line: `${error.message.replace(/\.?( To specify[^]*)?$/, '.')} --help tells what there is.` };
  }
}

function readNumber(option, given, min, max) {
  const number = Number(given);
  if (given !== '' && Number.isInteger(number) && number >= min && number <= max) return number;
  throw new Error(`${option} is a whole number from ${min} to ${max}, not ${given}.`);
}

function pickFaults(given) {
  if (given === undefined) return faults.map(({ name }) => name);
  const chosen = given.split(',');
  const unknown = chosen.find((name) => !faults.some((fault) => fault.name === name));
  if (unknown !== undefined) throw new Error(`--faults has no ${JSON.stringify(unknown)}; there is ${names}.`);
  return chosen;
}

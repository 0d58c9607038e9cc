/**
 * `npm run fuzz`: the properties about hostile input, for as long as you like. The tests try each with a few inputs of one
 * seed; this goes on with others, on a PostgreSQL that is started for it and removed after it.
 */
import { checkNode } from './lib/check-node.mjs';

checkNode();

const help = `npm run fuzz [-- --minutes 5] [-- --seed N] [-- --only 'name of a test'] [-- --path P]

Tries hostile payloads, handlers, schedules, HTTP requests, bytes and command lines, in rounds of about a minute. Each round
has a seed of its own, counted up from the first. When a property breaks, its smallest counterexample is shown with the seed
and the command that shows it again; the exit code is then 1. Ctrl-C ends it, and everything it has started.

  --minutes N   for how long (1 to 600; 5 unless given)
  --seed N      of the first round (a random one unless given; it is shown)
  --only NAME   this property only
  --path P      straight to one counterexample, with the path of its report (with --seed and --only)
  --help        this text
`;

function wholeNumber(name, given, max) {
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new Error(`--${name} is a whole number from 1 to ${max}, not ${given}.`);
}

async function main() {
  const { parseArgs } = await import('node:util');
  const { runMain } = await import('./lib/run-main.mjs');
  await runMain(async () => {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '5' },
        seed: { type: 'string' },
        only: { type: 'string' },
        path: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) return void process.stdout.write(help);
    if (values.path !== undefined && (values.seed === undefined || values.only === undefined))
      throw new Error('--path goes with --seed and --only, as the report says.');
    const minutes = wholeNumber('minutes', values.minutes, 600);
    const seed =
      values.seed === undefined ? Math.floor(Math.random() * 1e9) : wholeNumber('seed', values.seed, 2_000_000_000);
    const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
    const { runTurbo } = await import('./lib/run-turbo.mjs');
    const { runRounds } = await import('./fuzz/run-rounds.mjs');
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    return runRounds({ minutes, seed, only: values.only, path: values.path });
  });
}

void main();

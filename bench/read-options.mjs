import { parseArgs } from 'node:util';
import { measures } from './measures/index.mjs';
import { systems } from './systems/find-system.mjs';

const MAX_ROUNDS = 20;

const usualMeasures = measures.filter(({ isExtra }) => !isExtra);
/** Those of a group are asked for together. */
const namesOf = (all) => [...new Set(all.map(({ name, group = name }) => group))].join(', ');

const help = `npm run bench [-- --rounds 3] [--only drain,pickup-100] [--systems duework,floor] [--quick]

Measures Duework beside its rivals, which it installs into .duework/bench, on a PostgreSQL of its own with durable settings
(and a Redis, where a redis-server is on PATH). All systems take turns in each round; figures are medians. It takes about
40 minutes and leaves nothing behind but .duework/bench. Exit code 1: something could not be measured.

  --rounds N      how many rounds (1 to ${MAX_ROUNDS}; 3 unless given)
  --only a,b      these measures: ${namesOf(usualMeasures)};
                  only when asked for: growth (what a job costs Duework beside more and more rows and workers)
  --systems a,b   these systems: ${namesOf(systems)}
  --quick         one round of a few per cent of the sizes: shows that everything works, not how fast it is
  --json FILE     writes everything that was measured
  --svg FILE      draws the chart
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
        rounds: { type: 'string' },
        only: { type: 'string' },
        systems: { type: 'string' },
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        svg: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const { quick: isQuick, help: isHelpWanted, json, svg } = values;
    const options = {
      isQuick,
      isHelpWanted,
      isAsked: values.only !== undefined,
      json,
      svg,
      rounds: readRounds(values.rounds ?? (isQuick ? '1' : '3')),
      measures: pick('--only', values.only, measures, usualMeasures),
      systems: pick('--systems', values.systems, systems, systems),
    };
    return { ok: true, options, help };
  } catch (error) {
    return { ok: false, line: `${error.message.replace(/\.?( To specify[^]*)?$/, '.')} --help tells what there is.` };
  }
}

function readRounds(given) {
  const rounds = Number(given);
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= MAX_ROUNDS) return rounds;
  throw new Error(`--rounds is a whole number from 1 to ${MAX_ROUNDS}, not ${given}.`);
}

function pick(option, given, all, usual) {
  if (given === undefined) return usual;
  const names = given.split(',');
  const unknown = names.find((wanted) => !all.some(({ name, group = name }) => group === wanted));
  if (unknown !== undefined) throw new Error(`${option} has no ${JSON.stringify(unknown)}; there is ${namesOf(all)}.`);
  return all.filter(({ name, group = name }) => names.includes(group));
}

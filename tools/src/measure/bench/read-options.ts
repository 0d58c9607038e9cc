import type { Command } from 'commander';
import { createProgram, namesAmong, wholeNumber } from '../../kit/create-program.js';
import type { BenchOptions } from './bench-options.js';
import { measures } from './measures/list-measures.js';
import type { Measure } from './measures/measure.js';
import { systems } from './systems/list-systems.js';

const MAX_ROUNDS = 20;
const ROUNDS = 3;

const SUMMARY = `Measures Duework beside its rivals, which it installs into .duework/bench, on a PostgreSQL of its own with durable settings (and a Redis, where a redis-server is on PATH). Duework's engine is measured twice: through a Prisma client, as by default (duework), and through pg, as with ENGINE_CLIENT=pg (duework-pg); the aims are those of the first that is measured. All systems take turns in each round; figures are medians. It takes more than an hour and leaves nothing behind but .duework/bench. Exit code 1: something could not be measured.`;

const groupOf = ({ name, group = name }: Measure): string => group;
const namesOf = (all: readonly Measure[]): string[] => [...new Set(all.map(groupOf))];
const SYSTEM_NAMES = systems.map(({ name }) => name);

/** The command line of the benchmark; `readOptions` reads it. */
export function createBenchProgram(): Command {
  return createProgram('measure bench', SUMMARY)
    .option('--rounds <n>', `how many rounds (1 to ${MAX_ROUNDS}; ${ROUNDS} unless given)`, wholeNumber(1, MAX_ROUNDS))
    .option('--only <a,b>', `these measures: ${namesOf(measures).join(', ')}`, namesAmong(namesOf(measures)))
    .option('--systems <a,b>', `these systems: ${SYSTEM_NAMES.join(', ')}`, namesAmong(SYSTEM_NAMES))
    .option('--quick', 'one round of a few per cent of the sizes: shows that everything works, not how fast it is')
    .option('--json <file>', 'writes everything that was measured')
    .option('--svg <file>', 'draws the chart');
}

interface Given {
  readonly rounds?: number;
  readonly only?: readonly string[];
  readonly systems?: readonly string[];
  readonly quick?: true;
  readonly json?: string;
  readonly svg?: string;
}

/** The options, once the command line has been read. */
export function readOptions(program: Command): BenchOptions {
  const { rounds, only, systems: names, quick, json, svg } = program.opts<Given>();
  const asked = only === undefined ? measures : measures.filter((measure) => only.includes(groupOf(measure)));
  return {
    isQuick: quick === true,
    isAsked: only !== undefined,
    rounds: rounds ?? (quick === true ? 1 : ROUNDS),
    measures: asked.filter(({ isLong }) => !(quick === true && isLong === true)),
    systems: names === undefined ? systems : systems.filter(({ name }) => names.includes(name)),
    json,
    svg,
  };
}

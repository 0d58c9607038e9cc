import type { Result, SavedRun } from '../../measure/bench/report/run.js';
import { wrapProse } from './wrap-prose.js';

const NAMES: Readonly<Record<string, string>> = {
  node: 'Node',
  postgres: 'PostgreSQL',
  redis: 'Redis (an fsync for each write)',
  bullmq: 'BullMQ',
};

/** The published run with every result, from which the rounds are counted: some measures take fewer than others. */
export type CountedRun = Pick<SavedRun, 'machine'> & { readonly results: readonly Pick<Result, 'measure' | 'round'>[] };

/** How the published figures were taken, in a paragraph. */
export function renderConditions({ machine, results }: CountedRun): string {
  const { cores, cpu, memoryGb, versions } = machine;
  const used = Object.entries(versions)
    .filter(([name, version]) => version !== undefined && name !== 'duework')
    .map(([name, version]) => `${NAMES[name] ?? name} ${version}`);
  return wrapProse(`Medians of ${countRounds(results)} on ${cores} × ${cpu}, ${memoryGb} GB: ${used.join(', ')}.`);
}

function countRounds(results: CountedRun['results']): string {
  const rounds = new Map<string, number>();
  for (const { measure, round } of results) rounds.set(measure, Math.max(rounds.get(measure) ?? 0, round + 1));
  const [fewest, most] = [Math.min(...rounds.values()), Math.max(...rounds.values())];
  return fewest === most ? `${most} round${most === 1 ? '' : 's'}` : `${fewest} to ${most} rounds`;
}

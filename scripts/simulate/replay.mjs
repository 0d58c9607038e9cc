import { PlainError } from '../lib/plain-error.mjs';
import { findMistake, simulation } from './find-mistake.mjs';

/** Runs one world again and prints all that happens. Returns the exit code. */
export async function replay({ replay: text, plant }) {
  const { violation, trace } = await simulation.simulate(read(text), { plant: findMistake(plant), isTraced: true });
  process.stdout.write(
    `${trace.join('\n')}\n${violation === null ? 'Every promise was kept.' : `Broken: ${violation.promise}\n        ${violation.facts}`}\n`,
  );
  return violation === null ? 0 : 1;
}

function read(text) {
  try {
    return simulation.parsePlan(text);
  } catch (error) {
    throw new PlainError(`This plan cannot be read: ${error.message}`);
  }
}

import { parsePlan, type Plan, simulate } from '@duework/testing/simulation';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { findMistake } from './find-mistake.js';

/** Runs one world again and prints all its events. Returns the exit code. */
export async function replay(text: string, plant: string | undefined): Promise<number> {
  const { violation, trace } = await simulate(read(text), { plant: findMistake(plant), isTraced: true });
  process.stdout.write(
    `${trace.join('\n')}\n${violation === null ? 'Every promise was kept.' : `Broken: ${violation.promise}\n        ${violation.facts}`}\n`,
  );
  return violation === null ? 0 : 1;
}

function read(text: string): Plan {
  try {
    return parsePlan(text);
  } catch (error) {
    throw new PlainError(`This plan cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

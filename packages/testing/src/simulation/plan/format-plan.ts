import type { Plan } from './plan.js';

/** A plan in one word, for a command line; `parsePlan` reads it. */
export function formatPlan({ seed, jobs, operations, workers, faults }: Plan): string {
  const parts = [String(seed)];
  if (workers !== null) parts.push(`workers=${workers}`);
  if (jobs !== null) parts.push(`jobs=${jobs.join(',')}`);
  if (operations !== null) parts.push(`operations=${operations.join(',')}`);
  if (faults !== null) parts.push(`faults=${[...faults].map(([place, kind]) => `${place}:${kind}`).join(',')}`);
  return parts.join(';');
}

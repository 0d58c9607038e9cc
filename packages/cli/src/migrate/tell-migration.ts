import type { TellMigration } from '@duework/database/migrate';
import type { ProgressLine } from '../output/open-progress-line.js';

/** Tells the migrations as one step, and what they wait for as steps of their own. */
export const tellMigration =
  (line: ProgressLine): TellMigration =>
  (message, step) => {
    if (step === undefined) return line.step(message);
    if (step.number === 1) line.step(`Applying ${step.total === 1 ? '1 migration' : `${step.total} migrations`} …`);
    line.detail(message);
  };

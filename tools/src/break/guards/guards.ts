import { PlainError } from '../../../bootstrap/plain-error.mjs';
import type { Guard } from './guard.js';
import { accessGuards } from './list/access-guards.js';
import { answerGuards } from './list/answer-guards.js';
import { claimGuards } from './list/claim-guards.js';
import { commandGuards } from './list/command-guards.js';
import { contractGuards } from './list/contract-guards.js';
import { databaseGuards } from './list/database-guards.js';
import { effectGuards } from './list/effect-guards.js';
import { engineGuards } from './list/engine-guards.js';
import { enqueueGuards } from './list/enqueue-guards.js';
import { fenceGuards } from './list/fence-guards.js';
import { figuresGuards } from './list/figures-guards.js';
import { leaseGuards } from './list/lease-guards.js';
import { pauseGuards } from './list/pause-guards.js';
import { rescueGuards } from './list/rescue-guards.js';
import { scanGuards } from './list/scan-guards.js';
import { scheduleGuards } from './list/schedule-guards.js';
import { secretGuards } from './list/secret-guards.js';
import { operateGuards } from './list/operate-guards.js';
import { settleGuards } from './list/settle-guards.js';
import { shardGuards } from './list/shard-guards.js';
import { traceGuards } from './list/trace-guards.js';
import { versionGuards } from './list/version-guards.js';
import { waitGuards } from './list/wait-guards.js';
import { workerGuards } from './list/worker-guards.js';

/** Every guard. */
export const guards: readonly Guard[] = [
  ...claimGuards,
  ...pauseGuards,
  ...figuresGuards,
  ...versionGuards,
  ...contractGuards,
  ...scanGuards,
  ...fenceGuards,
  ...rescueGuards,
  ...effectGuards,
  ...enqueueGuards,
  ...scheduleGuards,
  ...engineGuards,
  ...leaseGuards,
  ...operateGuards,
  ...settleGuards,
  ...secretGuards,
  ...traceGuards,
  ...databaseGuards,
  ...commandGuards,
  ...workerGuards,
  ...waitGuards,
  ...accessGuards,
  ...answerGuards,
  ...shardGuards,
];

/**
 * Those whose names begin with one of these; all of them when nothing is given.
 *
 * @throws PlainError of a name that none begins with
 */
export function pickGuards(names: readonly string[] | undefined): readonly Guard[] {
  if (names === undefined) return guards;
  for (const name of names)
    if (!guards.some((guard) => guard.name.startsWith(name)))
      throw new PlainError(`There is no guard ${name}. Known: ${guards.map((guard) => guard.name).join(', ')}`);
  return guards.filter((guard) => names.some((name) => guard.name.startsWith(name)));
}

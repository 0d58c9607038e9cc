import type { Check } from './check.js';
import { beginsInOrder, growingFence, oneSettlement } from './claim-checks.js';
import { effectsOnce, noLateEffects, dueTimesOnce } from './effect-checks.js';
import { commitsTogether, nothingLost, oneRunPerCall, oneRunPerKey } from './enqueue-checks.js';
import { limitsHold, noIdleSlots, noLostSlots, orderHolds, ratesHold } from './gates/gate-checks.js';
import { legalChanges } from './legal-changes.js';
import { bearsLoad, drains, holdsSteady, recoversFromRestart } from './load-checks.js';
import { killedRuns, silentRuns } from './lost-worker-checks.js';
import { everyClient, nobodyExits, nobodyWarns, noLeaks, quietFailures } from './process-checks.js';
import { batchesAddUp, signalsOnce, stepsOnce } from './workflow-checks.js';

/** The promises. Each check reads nothing but the evidence. */
export const checks: readonly Check[] = [
  nothingLost,
  oneRunPerKey,
  oneRunPerCall,
  commitsTogether,
  oneSettlement,
  growingFence,
  legalChanges,
  beginsInOrder,
  effectsOnce,
  noLateEffects,
  stepsOnce,
  signalsOnce,
  batchesAddUp,
  dueTimesOnce,
  limitsHold,
  orderHolds,
  ratesHold,
  noLostSlots,
  noIdleSlots,
  drains,
  killedRuns,
  silentRuns,
  recoversFromRestart,
  bearsLoad,
  holdsSteady,
  everyClient,
  nobodyExits,
  quietFailures,
  noLeaks,
  nobodyWarns,
];

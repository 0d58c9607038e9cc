import { beginsInOrder } from './begins-in-order.js';
import { batchesAddUp } from './batches-add-up.js';
import { bearsLoad } from './bears-load.js';
import type { Check } from './check.js';
import { commitsTogether } from './commits-together.js';
import { drains } from './drains.js';
import { effectsOnce } from './effects-once.js';
import { everyClient } from './every-client.js';
import { limitsHold } from './gates/limits-hold.js';
import { noIdleSlots } from './gates/no-idle-slots.js';
import { noLostSlots } from './gates/no-lost-slots.js';
import { orderHolds } from './gates/order-holds.js';
import { ratesHold } from './gates/rates-hold.js';
import { growingFence } from './growing-fence.js';
import { holdsSteady } from './holds-steady.js';
import { killedRuns } from './killed-runs.js';
import { legalChanges } from './legal-changes.js';
import { noLateEffects } from './no-late-effects.js';
import { noLeaks } from './no-leaks.js';
import { nobodyExits } from './nobody-exits.js';
import { nobodyWarns } from './nobody-warns.js';
import { nothingLost } from './nothing-lost.js';
import { oneRunPerCall } from './one-run-per-call.js';
import { oneRunPerKey } from './one-run-per-key.js';
import { oneSettlement } from './one-settlement.js';
import { quietFailures } from './quiet-failures.js';
import { recoversFromRestart } from './recovers-from-restart.js';
import { silentRuns } from './silent-runs.js';
import { signalsOnce } from './signals-once.js';
import { slotsOnce } from './slots-once.js';
import { stepsOnce } from './steps-once.js';

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
  slotsOnce,
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

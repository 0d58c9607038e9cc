import { bearsLoad } from './bears-load.mjs';
import { commitsTogether } from './commits-together.mjs';
import { drains } from './drains.mjs';
import { effectsOnce } from './effects-once.mjs';
import { growingFence } from './growing-fence.mjs';
import { holdsSteady } from './holds-steady.mjs';
import { killedRuns } from './killed-runs.mjs';
import { legalChanges } from './legal-changes.mjs';
import { noLeaks } from './no-leaks.mjs';
import { nobodyExits } from './nobody-exits.mjs';
import { nothingLost } from './nothing-lost.mjs';
import { oneRunPerCall } from './one-run-per-call.mjs';
import { oneRunPerKey } from './one-run-per-key.mjs';
import { oneSettlement } from './one-settlement.mjs';
import { quietFailures } from './quiet-failures.mjs';
import { recoversFromRestart } from './recovers-from-restart.mjs';
import { silentRuns } from './silent-runs.mjs';
import { slotsOnce } from './slots-once.mjs';

/**
 * The promises. Each looks at the evidence alone and says how much it has looked at (`counted`), what is `broken`, in words, and
 * perhaps a `remark`. An `isFigure` is told and not judged in the quick form, which runs on machines that are busy otherwise.
 */
export const checks = [
  nothingLost,
  oneRunPerKey,
  oneRunPerCall,
  commitsTogether,
  oneSettlement,
  growingFence,
  legalChanges,
  effectsOnce,
  slotsOnce,
  drains,
  killedRuns,
  silentRuns,
  recoversFromRestart,
  bearsLoad,
  holdsSteady,
  nobodyExits,
  quietFailures,
  noLeaks,
];

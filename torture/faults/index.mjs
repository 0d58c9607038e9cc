import { blockLoop } from './block-loop.mjs';
import { cutConnections } from './cut-connections.mjs';
import { deafenConnections } from './deafen-connections.mjs';
import { dieAtPoint } from './die-at-point.mjs';
import { endBackends } from './end-backends.mjs';
import { fillDisk } from './fill-disk.mjs';
import { killWorker } from './kill-worker.mjs';
import { lockTables } from './lock-tables.mjs';
import { pinHorizon } from './pin-horizon.mjs';
import { provokeDeadlocks } from './provoke-deadlocks.mjs';
import { restartDatabase } from './restart-database.mjs';
import { rollDeploy } from './roll-deploy.mjs';
import { shiftClock } from './shift-clock.mjs';
import { stallConnections } from './stall-connections.mjs';
import { stopWorker } from './stop-worker.mjs';

/**
 * Everything that is done to the product. Each has a name, a title, an `inject(lab)` that does it and takes it back, and perhaps
 * a `missing(lab)` that says why it cannot be done here.
 */
export const faults = [
  killWorker,
  dieAtPoint,
  stopWorker,
  blockLoop,
  restartDatabase,
  cutConnections,
  deafenConnections,
  stallConnections,
  shiftClock,
  fillDisk,
  pinHorizon,
  lockTables,
  provokeDeadlocks,
  rollDeploy,
  endBackends,
];

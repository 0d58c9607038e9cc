import { blockLoop } from './block-loop.js';
import { changePrimary } from './change-primary.js';
import { cutConnections } from './cut-connections.js';
import { dieAtPoint } from './die-at-point.js';
import { endBackends } from './end-backends.js';
import type { Fault } from './fault.js';
import { fillDisk } from './fill-disk.js';
import { freezeInEffect } from './freeze-in-effect.js';
import { freezeWithoutSession } from './freeze-without-session.js';
import { freezeWorker } from './freeze-worker.js';
import { killInEffect } from './kill-in-effect.js';
import { killPooledWorker } from './kill-pooled-worker.js';
import { killWorker } from './kill-worker.js';
import { lockTables } from './lock-tables.js';
import { pinHorizon } from './pin-horizon.js';
import { provokeDeadlocks } from './provoke-deadlocks.js';
import { pullCable } from './pull-cable.js';
import { restartDatabase } from './restart-database.js';
import { rollDeploy } from './roll-deploy.js';
import { shiftClock } from './shift-clock.js';
import { stallConnections } from './stall-connections.js';

/** Every fault that is done to the product. */
export const faults: readonly Fault[] = [
  killWorker,
  killPooledWorker,
  dieAtPoint,
  freezeWorker,
  freezeWithoutSession,
  freezeInEffect,
  killInEffect,
  blockLoop,
  restartDatabase,
  changePrimary,
  cutConnections,
  pullCable,
  stallConnections,
  shiftClock,
  fillDisk,
  pinHorizon,
  lockTables,
  provokeDeadlocks,
  rollDeploy,
  endBackends,
];

import { cutConnections, pullCable, stallConnections } from './cable-faults.js';
import {
  changePrimary,
  endBackends,
  fillDisk,
  lockTables,
  pinHorizon,
  provokeDeadlocks,
  restartDatabase,
} from './database-faults.js';
import { freezeInEffect, killInEffect } from './effect-faults.js';
import type { Fault } from './fault.js';
import {
  blockLoop,
  dieAtPoint,
  freezeWithoutSession,
  freezeWorker,
  killPooledWorker,
  killWorker,
  rollDeploy,
  shiftClock,
} from './worker-faults.js';

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

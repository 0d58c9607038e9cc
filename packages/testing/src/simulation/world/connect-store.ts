import type { Store } from '@duework/queue-core';
import type { WakeMessage } from '@duework/queue-core/ports';
import type { SimulatedWorker } from '../plan/make-workload.js';
import { MESSAGE_FAULTS } from '../plan/plan.js';
import { send } from '../actors/send.js';
import type { SimulatedProcess } from './simulated-process.js';
import type { World } from './world.js';

/**
 * The store as one process calls it. `receivesMessages`: the store's own messages arrive there, unless they are lost.
 */
export function connectStore(
  world: World,
  process: SimulatedProcess,
  store: Store,
  { receivesMessages, settleGapMs }: Pick<SimulatedWorker, 'receivesMessages' | 'settleGapMs'>,
): Store {
  const through = <
    V extends Exclude<keyof Store, 'capabilities' | 'watch' | 'settleGapMs' | 'writeFigures' | 'sampleDepth'>,
  >(
    verb: V,
  ): Store[V] =>
    ((...args: unknown[]) =>
      send(world, process, verb, args, () =>
        (store[verb] as (...given: unknown[]) => Promise<unknown>)(...args),
      )) as Store[V];
  const watch = (listener: (message: WakeMessage) => void): (() => void) =>
    store.watch!((message) => {
      if (process.isDead || world.faults.at(process.nextPlace('message'), MESSAGE_FAULTS) !== null) return;
      world.time.after(1, () => process.deliver('answer', () => listener(message)));
    });
  return {
    capabilities: store.capabilities,
    settleGapMs,
    claim: through('claim'),
    settle: through('settle'),
    extendLeases: async (batch) => {
      const hadSession = !process.isUnsure || world.sessions.has(process);
      const held = await through('extendLeases')(batch);
      if (hadSession) process.isUnsure = false;
      return held;
    },
    beginEffect: through('beginEffect'),
    findEffect: through('findEffect'),
    endEffect: through('endEffect'),
    readSteps: through('readSteps'),
    writeSteps: through('writeSteps'),
    writeStepIn: through('writeStepIn'),
    beginWaits: through('beginWaits'),
    endWait: through('endWait'),
    insertChildren: through('insertChildren'),
    saveProgress: through('saveProgress'),
    keepObject: through('keepObject'),
    completeIn: through('completeIn'),
    isCompleted: through('isCompleted'),
    takeChores: through('takeChores'),
    rescue: through('rescue'),
    expire: through('expire'),
    addUpBatches: through('addUpBatches'),
    forgetWorkers: through('forgetWorkers'),
    prepare: through('prepare'),
    announceContracts: through('announceContracts'),
    withdrawContracts: through('withdrawContracts'),
    prune: through('prune'),
    raiseWaiting: through('raiseWaiting'),
    findForgottenKeys: through('findForgottenKeys'),
    giveGates: through('giveGates'),
    lookForAlerts: through('lookForAlerts'),
    alertTold: through('alertTold'),
    ...(receivesMessages ? { watch } : {}),
  };
}

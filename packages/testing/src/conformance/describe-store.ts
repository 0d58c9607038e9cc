import { beforeEach, describe } from '@jest/globals';
import type { Capabilities } from '@duework/queue-core/ports';
import { batchCases } from './batch-cases.js';
import { capabilityCases } from './capability-cases.js';
import { claimCases } from './claim-cases.js';
import { deathCases } from './death-cases.js';
import { effectCases } from './effect-cases.js';
import { expiryCases } from './expiry-cases.js';
import { flowCases } from './flow/flow-cases.js';
import { fenceCases } from './fence-cases.js';
import type { StoreHarness, UseHarness } from './harness.js';
import { keyCases } from './key-cases.js';
import { metaCases } from './meta-cases.js';
import { operatorCases } from './operator-cases.js';
import { pauseCases } from './pause-cases.js';
import { batchRefusals, stepRefusals, termRefusals, uniqueRefusals } from './refusal-cases.js';
import { rescueCases } from './rescue-cases.js';
import { settleCases } from './settle-cases.js';
import { stepCases } from './step-cases.js';
import { transitionCases } from './transition-cases.js';
import { uniqueCases } from './unique-cases.js';
import { updateCases } from './update-cases.js';
import { upkeepCases } from './upkeep-cases.js';
import { waitCases } from './wait-cases.js';

export type { StoreHarness };

const PARTS: Readonly<Record<string, (use: UseHarness) => void>> = {
  claims: claimCases,
  settlements: settleCases,
  transitions: transitionCases,
  'the fence': fenceCases,
  rescues: rescueCases,
  'idempotency keys': keyCases,
  effects: effectCases,
  'steps and waits': (use) => (use.can.steps ? kept(use, { steps: stepCases, waits: waitCases }) : stepRefusals(use)),
  batches: (use) => (use.can.batches ? batchCases(use) : batchRefusals(use)),
  meta: metaCases,
  operators: operatorCases,
  updates: updateCases,
  'jobs that are one of a kind': (use) => (use.can.unique ? uniqueCases(use) : uniqueRefusals(use)),
  terms: (use) =>
    use.can.terms
      ? kept(use, { 'time that runs out': expiryCases, 'dead runs that are told of': deathCases })
      : termRefusals(use),
  pauses: pauseCases,
  upkeep: upkeepCases,
  'flow control': flowCases,
  capabilities: capabilityCases,
};

function kept(use: UseHarness, parts: Readonly<Record<string, (use: UseHarness) => void>>): void {
  for (const [part, addCases] of Object.entries(parts))
    describe(`${part}`, () => {
      addCases(use);
    });
}

const EVERYTHING: Capabilities = {
  transactional: true,
  lists: true,
  priorities: true,
  flow: true,
  steps: true,
  batches: true,
  unique: true,
  terms: true,
  events: true,
  objects: true,
};

/**
 * What every store promises, as one list of tests. `makeHarness` makes an empty store for each of them, whose time the
 * harness moves. Tests that need two connections, or a query plan, stand beside the database's SQL. `can`: what the
 * store declares; it has to refuse the rest.
 */
export function describeStore(
  name: string,
  makeHarness: () => Promise<StoreHarness>,
  can: Capabilities = EVERYTHING,
): void {
  describe(`${name} keeps its promises`, () => {
    let harness: StoreHarness;
    beforeEach(async () => {
      harness = await makeHarness();
    });
    const use: UseHarness = Object.assign(() => harness, { can });
    for (const [part, addCases] of Object.entries(PARTS)) {
      describe(`about ${part}`, () => {
        addCases(use);
      });
    }
  });
}

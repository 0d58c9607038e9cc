/**
 * A producer of the tortured product: enqueues at a steady rate in every way there is, and writes down each call and each
 * answer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connectPrisma } from '@duework/database';
import { seededRandom } from '../../../kit/seeded-random.js';
import { serveParent } from '../../../kit/serve-parent.js';
import { createCalls } from './create-calls.js';
import { createWays } from './create-ways.js';
import { nowMs, openHistory } from './open-history.js';
import { readSettings } from './read-settings.js';

export interface ProducerSettings {
  readonly url: string;
  readonly name: string;
  readonly history: string;
  readonly seed: number;
  readonly perSecond: number;
  readonly sampleEvery: number;
  readonly firstN: number;
}

const TURN_MS = 10;
/** More calls than these at once would be a backlog of its own. */
const MAX_OPEN = 400;

const { url, name, history, seed, perSecond, sampleEvery, firstN } = readSettings() as ProducerSettings;
const random = seededRandom(seed);
const db = connectPrisma({
  url,
  poolSize: 10,
  connectTimeoutMs: 2_000,
  applicationName: `torture-${name}`,
  onConnectionLost: () => {},
});
const { call, counts } = createCalls({ write: openHistory(history), sampleEvery });
const ways = createWays({ db, random, call, firstN });
const total = ways.reduce((sum, { weight }) => sum + weight, 0);
const state = { open: 0, isOn: true };

function callOnce(): void {
  let place = random.between(0, total - 1);
  const way = ways.find(({ weight }) => (place -= weight) < 0);
  state.open += 1;
  void way?.act().finally(() => (state.open -= 1));
}

serveParent({
  /** Makes no new calls; answers when every call is answered. */
  async stop() {
    state.isOn = false;
    while (state.open > 0) await pause(TURN_MS);
    await db.$disconnect();
    return counts;
  },
});

const beginMs = nowMs();
for (let made = 0; state.isOn; await pause(TURN_MS)) {
  for (const due = ((nowMs() - beginMs) * perSecond) / 1_000; made < due; made++) {
    if (state.open < MAX_OPEN) callOnce();
    else counts.skipped++;
  }
}

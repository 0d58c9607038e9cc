import { type CostCase, TooLateError } from './cases/cost-case.js';
import { CLIENT_WORDS, type ClientName, openEngineClient, openProducerClient } from './cases/cost-client.js';
import { enqueueCases } from './cases/enqueue-cases.js';
import { gateCases } from './cases/gate-cases.js';
import { workerCases } from './cases/worker-cases.js';
import type { Costs, Figures } from './figures.js';
import { type Counted, measureCalls, WARM_UP_CALLS } from './meter/measure-calls.js';
import { type CountingProxy, startCountingProxy } from './meter/start-counting-proxy.js';
import { cloneDatabase } from './servers/clone-database.js';
import { makeTemplates } from './servers/make-templates.js';
import type { CostsServer } from './servers/start-costs-server.js';

const ATTEMPTS = 5;

interface Surroundings {
  readonly server: CostsServer;
  readonly proxy: CountingProxy;
  readonly template: string;
}

/** Measures every case through each of its clients. */
export async function runCases(server: CostsServer): Promise<Costs> {
  const templates = await makeTemplates(server);
  const proxy = await startCountingProxy(server.url);
  const costs: Record<string, Figures> = {};
  try {
    for (const costCase of [...enqueueCases, ...workerCases, ...gateCases]) {
      for (const client of costCase.clients) {
        const surroundings = { server, proxy, template: templates[costCase.beside] };
        costs[`${costCase.name}, ${CLIENT_WORDS[client]}`] = await measureTwice(costCase, client, surroundings);
      }
    }
  } finally {
    proxy.stop();
  }
  return costs;
}

/**
 * The server adds what planning touches to what a statement touches, or leaves it out. Each case is measured in both
 * ways, in databases of its own, and every other figure must be the same.
 */
async function measureTwice(costCase: CostCase, client: ClientName, surroundings: Surroundings): Promise<Figures> {
  const measure = (isPlanningTracked: boolean): Promise<Counted> =>
    untilInTime(() => measureOnce(costCase, client, surroundings, { isPlanningTracked }));
  const counted = await measure(false);
  const again = await measure(true);
  const figures: Record<string, number | null> = {
    ...counted,
    planningBuffers: Math.round((again.buffers - counted.buffers) * 100) / 100,
  };
  for (const name of costCase.leftOut ?? []) figures[name] = null;
  for (const [name, value] of Object.entries(again)) {
    const is = figures[name];
    if (name !== 'buffers' && is !== null && is !== value)
      throw new Error(`${costCase.name}, ${CLIENT_WORDS[client]}: ${name} was ${is}, and then ${value}.`);
  }
  return figures as Figures;
}

async function untilInTime<T>(measure: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await measure();
    } catch (error) {
      if (!(error instanceof TooLateError) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function measureOnce(
  { role, calls, beside, prepare }: CostCase,
  clientName: ClientName,
  { server, proxy, template }: Surroundings,
  options: { readonly isPlanningTracked: boolean },
): Promise<Counted> {
  const database = await cloneDatabase(server, template, { ...options, isLarge: beside === 'many rows' });
  const open = role === 'engine' ? openEngineClient : openProducerClient;
  const client = open(clientName, proxy.through(database.url));
  const other = openEngineClient('pg', database.url);
  try {
    const call = await prepare({ client, other, times: WARM_UP_CALLS + calls });
    return await measureCalls({ admin: server.admin, proxy, database: database.name, calls, call });
  } finally {
    await Promise.all([client.close(), other.close()]);
    await database.drop();
  }
}

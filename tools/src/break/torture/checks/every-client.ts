import { ofKind } from '../observer/history-events.js';
import type { Check } from './check.js';
import { SETTLED } from './one-settlement.js';

/** The other checks judge all workers together; this one says that each way to the database took part. */
export const everyClient: Check = {
  promise: 'runs are settled through every client that was asked for, behind PgBouncer as well',
  needs: 'any run',
  check({ events, clients, isPooled }) {
    const spawned = new Map(ofKind(events, 'worker.spawned').map((event) => [event.worker, event]));
    const settledBy = new Map<string, number>([...clients.map((client) => [client, 0] as const)]);
    if (isPooled) settledBy.set('PgBouncer', 0);
    const count = (way: string): unknown => settledBy.set(way, (settledBy.get(way) ?? 0) + 1);
    const settled = ofKind(events, ...SETTLED);
    for (const { worker } of settled) {
      const about = spawned.get(worker);
      if (about === undefined) continue;
      count(about.client);
      if (about.isPooled) count('PgBouncer');
    }
    const workersOf = (client: string): number => [...spawned.values()].filter((one) => one.client === client).length;
    const ways = clients.map((client) => `${client}: ${workersOf(client)} workers, ${settledBy.get(client)} runs`);
    return {
      counted: settled.length,
      broken: [...settledBy].filter(([, runs]) => runs === 0).map(([way]) => `nothing was settled through ${way}`),
      remark: [...ways, isPooled ? `PgBouncer: ${settledBy.get('PgBouncer')} runs` : 'none behind PgBouncer'].join(
        '; ',
      ),
    };
  },
};

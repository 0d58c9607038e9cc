import { loadAdapter } from '../systems/find-system.mjs';
import { clonePlace, makeTemplate } from './make-place.mjs';
import { startRedis } from './start-redis.mjs';

/**
 * Where systems are measured: each time a fresh database, cloned from one that is prepared once for each system, or a fresh
 * Redis. A measure may `prepare` more than the system's own tables.
 */
export function makePlaces(lab) {
  const templates = new Map();

  async function templateOf(system, measure) {
    const key = measure.prepare === undefined ? system.name : `${system.name} ${measure.name}`;
    if (!templates.has(key)) {
      const adapter = await loadAdapter(system.name);
      templates.set(
        key,
        await makeTemplate(lab.postgres, async (url) => {
          await adapter.install(url);
          await measure.prepare?.({ adapter, system, url, size: lab.size });
        }),
      );
    }
    return templates.get(key);
  }

  async function openRedis(system, measure) {
    const place = await startRedis({ dir: lab.postgres.dir, appendfsync: system.appendfsync });
    await measure.prepare?.({ adapter: await loadAdapter(system.name), system, url: place.url, size: lab.size });
    return place;
  }

  return {
    async open(system, measure = {}) {
      if (system.server === 'redis') return openRedis(system, measure);
      // a small database is copied faster through the log
      return clonePlace(lab.postgres, await templateOf(system, measure), lab.isQuick ? 'WAL_LOG' : 'FILE_COPY');
    },
  };
}

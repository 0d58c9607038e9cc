import { startRedis } from '../../../kit/servers/start-redis.js';
import type { Measure } from '../measures/measure.js';
import type { Size } from '../sizes.js';
import type { RedisSystem, SqlSystem, System } from '../systems/system.js';
import { clonePlace, makeTemplate, type Place, type Template } from './make-place.js';
import type { BenchPostgres } from './start-bench-postgres.js';

/** The part of a measure that is used: its name, and what it adds to a place. */
type Preparing = Pick<Measure, 'name' | 'prepare'>;

const NOTHING_MORE: Preparing = { name: '' };

export interface Places {
  /** Makes a fresh place; the caller drops it. Without a measure it is as the system itself leaves it. */
  open(system: System, measure?: Preparing): Promise<Place>;
}

/**
 * Makes the places where systems are measured: each a fresh database, cloned from one that is prepared once for each
 * system, or a fresh Redis. A measure may `prepare` more than the system's own tables.
 */
export function makePlaces({
  postgres,
  size,
  isQuick,
}: {
  readonly postgres: BenchPostgres;
  readonly size: Size;
  readonly isQuick: boolean;
}): Places {
  const templates = new Map<string, Template>();

  async function prepareTemplate(system: SqlSystem, measure: Preparing): Promise<Template> {
    const adapter = await system.load();
    return makeTemplate(postgres, async (url) => {
      await adapter.install(url);
      await measure.prepare?.({ adapter, system, url, size });
    });
  }

  async function templateOf(system: SqlSystem, measure: Preparing): Promise<Template> {
    const key = measure.prepare === undefined ? system.name : `${system.name} ${measure.name}`;
    const known = templates.get(key);
    if (known !== undefined) return known;
    const template = await prepareTemplate(system, measure);
    templates.set(key, template);
    return template;
  }

  async function openRedis(system: RedisSystem, measure: Preparing): Promise<Place> {
    const place = await startRedis({ dir: postgres.dir, appendfsync: 'always' });
    await measure.prepare?.({ adapter: await system.load(), system, url: place.url, size });
    return place;
  }

  return {
    async open(system, measure = NOTHING_MORE) {
      if (system.server === 'redis') return openRedis(system, measure);
      // the log copies a small database faster
      return clonePlace(postgres, await templateOf(system, measure), isQuick ? 'WAL_LOG' : 'FILE_COPY');
    },
  };
}

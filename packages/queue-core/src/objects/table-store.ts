import { Readable } from 'node:stream';
import { recogniseClient, type Queryable } from '@duework/sql';
import { deleteObjects, listObjects, putPart, readPart } from '../sql/objects/stored-objects.js';
import { cutInParts } from './cut-in-parts.js';
import type { ObjectStore } from './object-store.js';

/** What is in memory of an object at a time. */
const PART_BYTES = 1024 ** 2;

/**
 * A store in a table of a database that is migrated: `stored_objects`. Simple, and in your backups; but the database
 * carries every byte, so prefer `s3Store` for many gigabytes. `db`: a client, and never a transaction. It is yours to close.
 */
export function tableStore(db: Queryable): ObjectStore {
  const client = recogniseClient(db);
  return {
    async put(key, content, { signal }) {
      let part = 0;
      for await (const bytes of cutInParts(content, PART_BYTES)) {
        signal.throwIfAborted();
        await putPart(client, key, part++, bytes);
      }
    },
    async get(key) {
      const first = await readPart(client, key, 0);
      return first === null ? null : Readable.from(parts(client, key, first), { objectMode: false });
    },
    delete: (keys) => deleteObjects(client, keys),
    async *list(prefix, { signal }) {
      for (let after = ''; ;) {
        signal.throwIfAborted();
        const page = await listObjects(client, prefix, after);
        for (const { key, putAtMs } of page) yield { key, putAt: new Date(putAtMs) };
        const last = page.at(-1);
        if (last === undefined) return;
        after = last.key;
      }
    },
  };
}

async function* parts(client: Queryable, key: string, first: Buffer): AsyncGenerator<Buffer> {
  let next: Buffer | null = first;
  for (let part = 1; next !== null; part++) {
    yield next;
    // what is shorter is the last
    next = next.length < PART_BYTES ? null : await readPart(client, key, part);
  }
}

import { DueworkError } from '@duework/sql/errors';

const NAME = /^[a-z][a-z0-9_]{0,15}$/;

/** Whether a shard may be called so. */
export const isShardName = (name: string): boolean => NAME.test(name);

/** Checks the name of a shard. Throws `invalid_option`. */
export function checkShardName(name: string): void {
  if (!isShardName(name))
    throw new DueworkError('invalid_option', {
      option: 'shard',
      expected: 'a letter, then letters, digits and "_", in lower case, 16 at most',
      value: name,
    });
}

/** The id of a job or a batch outside its shard: `b.2078000000000070`. */
export function nameId(shard: string, id: string): string {
  return `${shard}.${id}`;
}

/** The shard and its own id; `shard` is null for an id without a name, from before there were shards. */
export function splitId(id: string): { readonly shard: string | null; readonly id: string } {
  const point = id.indexOf('.');
  const shard = point === -1 ? '' : id.slice(0, point);
  return isShardName(shard) ? { shard, id: id.slice(point + 1) } : { shard: null, id };
}

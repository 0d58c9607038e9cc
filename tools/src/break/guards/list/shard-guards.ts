import type { Guard, NamedTest } from '../guard.js';
import { core, cut, database } from './places.js';

const shards = (file: string): string => `packages/shards/src/${file}`;
const worker = (file: string): string => `packages/worker/src/${file}`;
const http = (file: string): string => `packages/http/src/shards/${file}`;
const test = (file: string, title: string, of?: string): NamedTest => ({
  file,
  title,
  ...(of === undefined ? {} : { of }),
});

export const shardGuards: readonly Guard[] = [
  {
    name: 'shard-forward-noted',
    says: 'a forward that its target has noted as carried is not enqueued there again',
    edits: [cut(shards('carry-into-shard.ts'), 'noted.filter(({ id }) => known.get(id) === null)', 'noted')],
    tests: [test(shards('forward.test.ts'), 'that is carried twice at once makes one job')],
  },
  {
    name: 'shard-of-transaction',
    says: 'a handler completes its job in a transaction of its own shard alone',
    edits: [
      cut(
        core('store/postgres-store.ts'),
        "if (actual !== shard) throw new DueworkError('wrong_shard', { expected: shard, actual });",
        'void [actual, DueworkError];',
      ),
    ],
    tests: [
      test(
        shards('found-shard.test.ts'),
        'a handler knows its job by the id that names the shard, and completes it in a transaction of that shard alone',
      ),
    ],
  },
  {
    name: 'shard-of-key',
    says: 'where a key has to be unique, or an order holds, no shard is guessed',
    edits: [
      cut(
        shards('choose-shard.ts'),
        'const bound = requests.find(isBound);',
        'void isBound; const bound = requests.find(() => false);',
      ),
    ],
    tests: [
      test(
        shards('open-shards.test.ts'),
        'with a key or an order is refused where nothing says where it belongs, and nothing is written',
      ),
    ],
  },
  {
    name: 'shard-of-key-over-http',
    says: 'nor does the API guess it',
    edits: [cut(http('plans/enqueue.ts'), 'if (unnamed.length > 0) throw', 'if (unnamed.length > 1_000) throw')],
    tests: [test(http('shards.test.ts'), 'with a key that has to be unique is refused where nothing says its shard')],
  },
  {
    name: 'shard-called-right',
    says: 'a database under the name of another shard is refused',
    edits: [cut(shards('check-shards.ts'), 'if (wrong.length > 0) throw', 'if (wrong.length > 1_000) throw')],
    tests: [test(shards('found-shard.test.ts'), 'shards that are called by each other’s names are refused')],
  },
  {
    name: 'shard-at-start',
    says: 'a worker that finds another shard than it was told does not start',
    edits: [cut(worker('work-on/work-on-database.ts'), 'await checkShards({ [shard]: engine });', 'void checkShards;')],
    tests: [test(worker('run-over-shards.test.ts'), 'a worker does not start on %s', 'a and b that are the other one')],
  },
  {
    name: 'shard-connection-read-only',
    says: 'a connection to a server that takes no writes any more is not used again',
    edits: [cut(database('quiet-client.ts'), "new Set(['25006', ", 'new Set([')],
    tests: [
      test(
        database('hosts/hosts-client.test.ts'),
        'a connection on which a write was refused as on a standby is not used again',
      ),
    ],
  },
  {
    name: 'shard-change-told',
    says: 'a command that has not changed something in every shard ends with 1',
    edits: [
      cut(
        'packages/cli/src/operations/shards/all-shards.ts',
        'if (refusals.length + problems.length > 0) {',
        'if (refusals.length + problems.length > 1_000) {',
      ),
    ],
    tests: [
      test('packages/cli/src/shards/names.test.ts', 'that no shard which answers has may be in one that does not'),
    ],
  },
];

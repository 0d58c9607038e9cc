import { readFileSync } from 'node:fs';
import { createPostgresStore, enqueueMany, jobRequest, type Store } from '@duework/queue-core';
import { claimRuns } from '@duework/queue-core/internals';
import { saveSchedule, due } from '@duework/schedules';
import { cleanupNightly, sendReceipt } from '@duework/shop';
import { beforeAll, expect, test } from '@jest/globals';
import { useProgram } from './testing/use-program.js';

const { api, run, runWith } = useProgram();
const runbook = readFileSync(new URL('../../../docs/how-to/runbook.md', import.meta.url), 'utf8');

/** A command of the runbook and the first line that it prints there. */
interface Example {
  readonly line: string;
  readonly args: readonly string[];
  readonly first: string;
}

/** The commands `duework …`, with what follows each; the one that shows a refused key is left out. */
const examples: readonly Example[] = [...runbook.matchAll(/^\$ duework (.+)\n(.*)/gm)]
  .map(([, line = '', first = '']) => ({ line, first, args: splitWords(line) }))
  .filter(({ line }) => !line.includes('--api-key'));

function splitWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

let [dead, unknown, ...waiting]: string[] = [];

/** So many receipts; those whose `code` is given died of it. */
async function addReceipts(count: number, code?: string): Promise<string[]> {
  const receipt = (n: number) => ({ receiptId: `${code}-${n}`, email: 'a@b.cd', amountCents: 1, currency: 'EUR' });
  const added = await enqueueMany(
    api.db,
    Array.from({ length: count }, (_, n) => jobRequest(sendReceipt, receipt(n))),
  );
  const ids = added.map(({ id }) => id);
  if (code === undefined) return ids;
  const store: Store = createPostgresStore({ db: api.db });
  const error = { code, type: 'Error', message: 'try again later', stack: null };
  const contracts = new Map([[sendReceipt.type, sendReceipt]]);
  const { runs: claimed } = await claimRuns(api.db, { queue: 'default', contracts, worker: 'mail-1', limit: count });
  await store.settle(claimed.map(({ id, fence }) => ({ id, fence, kind: 'bury', error, abort: null })));
  return ids;
}

beforeAll(async () => {
  [dead] = (await addReceipts(3, 'smtp_421')) as [string];
  [unknown] = (await addReceipts(1, 'effect_unknown')) as [string];
  waiting = await addReceipts(10);
  await saveSchedule(api.db, cleanupNightly, {
    key: 'cleanup_nightly',
    cron: '0 2 * * *',
    payload: { day: due.date() },
  });
  await run('database', 'schedules', 'trigger', 'cleanup_nightly');
  await run('database', 'keys', 'create', '--name', 'ci', '--scope', 'read');
});

/** The ids of this database in place of those of the text. */
async function withIds({ args, first, line }: Example): Promise<string[]> {
  const [verb, what] = args;
  let id = waiting[0];
  if (first.startsWith('It has been dead')) id = dead;
  if (verb === 'retry' || line.startsWith('audit --job')) id = unknown;
  if (verb === 'bulk' && /^(show|abort|undo)$/.test(what ?? '')) id = await findLatestAction();
  return args.map((word) => (/^\d+$/.test(word) && !/^(--limit|--to)$/.test(before(args, word)) ? id! : word));
}
const before = (args: readonly string[], word: string): string => args[args.indexOf(word) - 1] ?? '';

/** Leaves a bulk action running that has changed something. */
async function leaveAction(): Promise<void> {
  let leave = (): void => {};
  const progress = (text: string): void => void (/\b[1-9]\d* of/.test(text) && leave());
  const slowly = splitWords('bulk change-priority type:send_receipt status:queued --to 7 --per-second 1 --yes');
  await runWith({ onSignal: (listen) => (leave = listen), progress }, 'database', ...slowly);
}

async function findLatestAction(): Promise<string> {
  const { out } = await run('database', 'bulk', 'list');
  return /^(\d+) /m.exec(out)![1]!;
}

/** The words of a line without what differs each time. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d+|command:\S+/g, '#')
    .split(/\s+|…/)
    .filter(Boolean);

/** Whether the words come in this order, with others between them: the runbook shortens what it shows. */
function hasInOrder(text: string, first: string): boolean {
  const words = wordsOf(text)[Symbol.iterator]();
  return wordsOf(first).every((wanted) => {
    for (let next = words.next(); !next.done; next = words.next()) if (next.value === wanted) return true;
    return false;
  });
}

/** What they say depends on what runs; that they answer is what counts here. */
const TELLS_STATE = /^(status|explain|workers|doctor)\b/;

test('every command of the runbook works as it stands there, one after the other', async () => {
  expect(examples.length).toBeGreaterThan(25);
  for (const example of examples) {
    if (example.line.startsWith('bulk list')) await leaveAction();
    const { out, told, code } = await run('database', ...(await withIds(example)));
    const { line, first } = example;
    expect({ line, code }).toEqual({ line, code: line === 'doctor' ? expect.any(Number) : 0 });
    if (!TELLS_STATE.test(line))
      expect({ line, first, said: hasInOrder(told + out, first) || told + out }).toEqual({ line, first, said: true });
  }
});

import { parseDatabaseUrl } from '@duework/database';
import { afterEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { useTestDatabase } from '@duework/testing/fixtures';
import { systemClock } from '../clock.js';
import { joinListeners } from '../sql/wake/join-listeners.js';
import { notifyWake } from '../sql/wake/notify-wake.js';
import { statementText } from '@duework/sql';
import { listenForWakes } from './listen-for-wakes.js';

const database = useTestDatabase();
const listeners: { stop(): void; answers: string[]; tell: () => void }[] = [];
afterEach(() => {
  for (const { stop } of listeners.splice(0)) stop();
});

async function listen(types = ['echo'], checkIntervalMs = 3_600_000): Promise<(typeof listeners)[number]> {
  const controller = new AbortController();
  const listener = { stop: () => controller.abort(), answers: [] as string[], tell: (): void => {} };
  listeners.push(listener);
  await listenForWakes(controller.signal, {
    ...parseDatabaseUrl(database.url),
    clock: systemClock,
    abilities: { queues: ['default'], types },
    checkIntervalMs,
    notify: (message) => {
      listener.answers.push(message.kind === 'woken' ? String(message.queue) : message.kind);
      listener.tell();
    },
  });
  return listener;
}

let number = 0;

/** What each of them answers to one wake-up of a run: chosen, spare, or nothing. */
async function answersOf(those: readonly (typeof listeners)[number][]): Promise<string[]> {
  for (const each of those) each.answers.length = 0;
  await notifyWake(database.db, `default 1 now ${(number += 3)}`);
  // received after it
  await notifyWake(database.db, 'end');
  for (const each of those) while (!each.answers.includes('end')) await new Promise<void>((go) => (each.tell = go));
  return those.map(({ answers }) => answers.find((answer) => answer === 'chosen' || answer === 'spare') ?? '');
}

const count = (answers: readonly string[], answer: string): number => answers.filter((each) => each === answer).length;

/** Resolves when all of them know each other. */
async function untilTheyShare(those: readonly (typeof listeners)[number][], chosen = 1): Promise<void> {
  for (let inARow = 0; inARow < 20; inARow++) {
    const answers = await answersOf(those);
    if (count(answers, 'chosen') !== chosen || count(answers, 'spare') !== chosen) inARow = -1;
  }
}

test('a wake-up chooses one of those who listen for the same work, another one each time, and one more looks later', async () => {
  const those = [await listen(), await listen(), await listen(), await listen(), await listen()];
  await untilTheyShare(those);
  const chosen = new Set<number>();
  for (let n = 0; n < 50; n++) chosen.add((await answersOf(those)).indexOf('chosen'));
  expect([...chosen].sort()).toEqual([0, 1, 2, 3, 4]);
});

test('who comes is chosen, too, and who goes is not missed', async () => {
  const those = [await listen(), await listen(), await listen()];
  await untilTheyShare(those);
  those.push(await listen());
  await untilTheyShare(those);
  those.shift()!.stop();
  await untilTheyShare(those);
});

test('who is gone without a word is found out by the next one who reads the list, and all are told', async () => {
  const ghost = new pg.Client({ connectionString: database.url });
  ghost.on('error', () => {});
  await ghost.connect();
  const { processID } = ghost as unknown as { processID: number };
  await ghost.query(
    statementText((db) => joinListeners(db, [], 0)),
    [['default echo'], processID],
  );
  const those = [await listen(), await listen(), await listen(['echo'], 100)];
  while (count(await answersOf(those), 'chosen') > 0);
  ghost.connection.stream.destroy();
  await untilTheyShare(those);
});

test('those who handle other job types are chosen apart, so that each wake-up reaches somebody who can run the job', async () => {
  const those = [await listen(['a']), await listen(['a']), await listen(['b', 'c']), await listen(['c', 'b'])];
  await untilTheyShare(those, 2);
});

test('whoever is alone is woken by every wake-up, and polls often from then on', async () => {
  const alone = await listen();
  for (let inARow = 0; inARow < 20; inARow++) {
    await answersOf([alone]);
    const [answer] = alone.answers.filter((each) => each === 'chosen' || each === 'default');
    expect(answer).toBeDefined();
    // as long as it does not know that it is alone, it is chosen
    if (answer === 'chosen') inARow = -1;
  }
});

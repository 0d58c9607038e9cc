import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createLog, LOG_LEVELS, type LogLevel } from './create-log.js';
import { completeLog } from './worker-log.js';

const now = (): Date => new Date('2026-11-20T12:00:00Z');
const VERBS = ['debug', 'info', 'warn', 'error', 'fatal'] as const;

function logTo(lines: string[], level: LogLevel = 'debug') {
  return createLog({ level, facts: { app: 'worker' }, now, write: (line) => void lines.push(line) });
}

function linesOf(log: (given: ReturnType<typeof logTo>) => void, level?: LogLevel): unknown[] {
  const lines: string[] = [];
  log(logTo(lines, level));
  return lines.map((line) => JSON.parse(line) as unknown);
}

test('a line is what pino writes', () => {
  const ours: string[] = [];
  const pinos: string[] = [];
  const error = Object.assign(new TypeError('broken', { cause: new RangeError('deeper') }), { errno: 7 });
  const write = (line: string): void => void pinos.push(line);
  const timestamp = (): string => `,"time":"${now().toISOString()}"`;
  for (const log of [logTo(ours), pino({ level: 'debug', base: { app: 'worker' }, timestamp }, { write })]) {
    const child = log.child({ id: '7' });
    for (const verb of ['debug', 'info', 'warn', 'error'] as const)
      child[verb]({ n: 1, deep: { list: [null, 'ä"\n'] } }, verb);
    log.fatal({ err: error }, 'failed');
    log.info(error, 'an error alone');
    log.info({ none: undefined });
  }
  expect(ours.map((line) => JSON.parse(line) as unknown)).toEqual(pinos.map((line) => JSON.parse(line) as unknown));
  for (const line of ours) expect(line).toMatch(/^\{"level":\d+,"time":"2026[^\n]+\}\n$/);
});

test.each(Object.keys(LOG_LEVELS) as LogLevel[])(
  'of level %s, lines that are less important are not written',
  (level) => {
    const written = linesOf((log) => VERBS.forEach((verb) => log[verb]({}, verb)), level) as { msg: string }[];
    expect(written.map(({ msg }) => msg)).toEqual(VERBS.filter((verb) => LOG_LEVELS[verb] >= LOG_LEVELS[level]));
  },
);

test('whatever is logged, there is one readable line', () => {
  const circle: { self?: object } = {};
  circle.self = circle;
  const thrower = {
    toJSON: () => {
      throw new Error('no');
    },
  };
  const facts: unknown[] = ['text', 7, null, undefined, circle, { big: 1n }, { thrower }, { level: 'mine' }, [1]];
  const lines = linesOf((log) => facts.forEach((fact) => log.info(fact as object, 'said')));
  expect(lines).toHaveLength(facts.length);
  for (const line of lines) expect(line).toMatchObject({ app: 'worker', msg: 'said' });
  expect(lines[5]).toMatchObject({ big: '1n' });
  expect(linesOf((log) => log.info('only this' as unknown as object))).toMatchObject([{ msg: 'only this' }]);
});

test('a logger without child and fatal gets the same lines', () => {
  const lines: unknown[] = [];
  const take = (verb: string) => (facts: object, msg?: string) => lines.push([verb, facts, msg]);
  const log = completeLog(
    { debug: take('debug'), info: take('info'), warn: take('warn'), error: take('error') },
    { worker: 'w' },
  );
  log.child({ id: '7' }).info({ n: 1 }, 'said');
  log.fatal({ n: 2 }, 'failed');
  expect(lines).toEqual([
    ['info', { worker: 'w', id: '7', n: 1 }, 'said'],
    ['error', { worker: 'w', n: 2 }, 'failed'],
  ]);
});

test('a logger that needs its this is called on itself', () => {
  const lines: string[] = [];
  const given = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
  completeLog(given, { worker: 'w' }).child({ id: '7' }).warn({}, 'said');
  expect(lines).toEqual(['{"level":40,"worker":"w","id":"7","msg":"said"}\n']);
});

import { inspect } from 'node:util';
import type { Log } from './worker-log.js';

/** The levels, from the least to the most important, with pino's numbers. */
export const LOG_LEVELS = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Infinity,
} as const;
export type LogLevel = keyof typeof LOG_LEVELS;

export interface LogOptions {
  /** Less important lines are not written. */
  readonly level: LogLevel;
  /** What every line has. */
  readonly facts: object;
  readonly write: (line: string) => void;
  readonly now: () => Date;
}

/**
 * Writes JSON lines as pino does: level, time, facts, msg. A line is written whatever it is given: what JSON cannot hold
 * becomes text.
 */
export function createLog(options: LogOptions): Log {
  const { level, facts: base, write, now } = options;
  // what every line has is written as JSON once
  const shared = members(base);
  const log = (name: Exclude<LogLevel, 'silent'>) => {
    if (LOG_LEVELS[name] < LOG_LEVELS[level]) return () => {};
    const head = `{"level":${LOG_LEVELS[name]},"time":"`;
    return (facts: object, message?: string): void => {
      const own = toFacts(facts);
      const said = message === undefined ? own : { ...own, msg: message };
      write(`${head}${now().toISOString()}"${shared}${members(said)}}\n`);
    };
  };
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    fatal: log('fatal'),
    child: (more) => createLog({ ...options, facts: { ...base, ...more } }),
  };
}

/** An error is logged as `err`; a text alone, which JavaScript lets through, as `msg`. */
function toFacts(facts: unknown): object {
  if (facts instanceof Error) return { err: toErrorFacts(facts) };
  if (typeof facts !== 'object' || facts === null) return facts === undefined ? {} : { msg: String(facts) };
  return 'err' in facts && facts.err instanceof Error ? { ...facts, err: toErrorFacts(facts.err) } : facts;
}

const MAX_CAUSES = 5;

/** The error's own members, and message and stack with those of its causes. */
function toErrorFacts(error: Error): object {
  const chain = causesOf(error);
  return {
    ...(error as object),
    type: error.name,
    message: chain.map(({ message }) => message).join(': '),
    stack: chain.map(({ stack }) => stack).join('\ncaused by: '),
  };
}

function causesOf(error: Error): Error[] {
  const chain = [error];
  for (let next = error.cause; next instanceof Error && chain.length <= MAX_CAUSES; next = next.cause) chain.push(next);
  return chain;
}

/** The members of an object as JSON with a comma before, empty when there are none. */
function members(facts: object): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(facts);
  } catch {
    const texts = Object.entries(facts).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : inspect(value, { breakLength: Infinity }),
    ]);
    json = JSON.stringify(Object.fromEntries(texts));
  }
  if (json === undefined || !json.startsWith('{')) json = JSON.stringify({ facts: json });
  return json === '{}' ? '' : `,${json.slice(1, -1)}`;
}

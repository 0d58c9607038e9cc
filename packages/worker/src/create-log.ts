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
 * Writes JSON lines as pino does: level, time, facts, msg. A line is written whatever it is given: a fact that JSON
 * cannot hold becomes text.
 */
export function createLog(options: LogOptions): Log {
  const { level, facts: base, write, now } = options;
  const log = (name: Exclude<LogLevel, 'silent'>) => {
    const number = LOG_LEVELS[name];
    if (number < LOG_LEVELS[level]) return () => {};
    return (facts: object, message?: string): void => {
      const stamp = { level: number, time: now().toISOString() };
      write(
        `${toJson({ ...stamp, ...base, ...toFacts(facts), ...stamp, ...(message === undefined ? {} : { msg: message }) })}\n`,
      );
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

function toErrorFacts(error: Error): object {
  return { ...error, type: error.name, message: error.message, stack: error.stack };
}

function toJson(line: object): string {
  try {
    return JSON.stringify(line, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  } catch {
    const texts = Object.entries(line).map(([key, value]) => [
      key,
      typeof value === 'number' || typeof value === 'string' ? value : inspect(value, { breakLength: Infinity }),
    ]);
    return JSON.stringify(Object.fromEntries(texts));
  }
}

import type { HandlerLog } from '@duework/queue-core';
import { watchSafely } from './watch-safely.js';

/** The part of a logger that a worker uses; pino has this shape. */
export interface WorkerLog extends HandlerLog {
  /** Default: `error`. */
  fatal?(facts: object, message?: string): void;
  /** A logger that adds these facts. Default: each line gets them. */
  child?(facts: object): HandlerLog;
}

/** What the worker itself logs with. */
export type Log = Required<WorkerLog>;

/**
 * A given logger with what it may lack, whose every line has `facts`. It never throws: a line that the given one cannot
 * write, because its transport has ended, is lost, and the job runs on.
 */
export function completeLog(given: WorkerLog, facts: object): Log {
  const log: WorkerLog = childOf(given, facts);
  return {
    debug: (about, message) => watchSafely(() => log.debug(about, message)),
    info: (about, message) => watchSafely(() => log.info(about, message)),
    warn: (about, message) => watchSafely(() => log.warn(about, message)),
    error: (about, message) => watchSafely(() => log.error(about, message)),
    fatal: (about, message) =>
      watchSafely(() => (log.fatal === undefined ? log.error(about, message) : log.fatal(about, message))),
    child: (more) => completeLog(log, more),
  };
}

function childOf(log: WorkerLog, facts: object): WorkerLog {
  try {
    if (log.child !== undefined) return log.child(facts);
  } catch {
    // then its own lines have the facts
  }
  return {
    ...(log.fatal === undefined ? {} : { fatal: (about, message) => log.fatal?.({ ...facts, ...about }, message) }),
    debug: (about, message) => log.debug({ ...facts, ...about }, message),
    info: (about, message) => log.info({ ...facts, ...about }, message),
    warn: (about, message) => log.warn({ ...facts, ...about }, message),
    error: (about, message) => log.error({ ...facts, ...about }, message),
  };
}

import type { HandlerLog } from '@duework/queue-core';
import type { RunWorkerOptions } from '@duework/worker';
import { describeEvent } from './describe-event.js';

type Lines = Required<Pick<RunWorkerOptions<[]>, 'log' | 'onEvent'>>;

/** One line for people for each job, and for what handlers log; of the worker itself warnings and errors only. */
export function writeLines(write: (text: string) => void, now: () => Date): Lines {
  const line = (text: string): void => write(`${now().toTimeString().slice(0, 8)} ${text}\n`);
  return {
    onEvent: (event) => {
      const text = describeEvent(event);
      if (text !== null) line(text);
    },
    log: logLines(line, {}),
  };
}

interface LineLog extends HandlerLog {
  child(facts: object): LineLog;
}

/** A log of a handler knows its job; the worker's own one does not. */
function logLines(line: (text: string) => void, about: { readonly type?: string; readonly id?: string }): LineLog {
  const { type, id } = about;
  const write =
    (isShown: boolean, level: string) =>
    (facts: object, message = ''): void => {
      if (!isShown) return;
      const job = id === undefined ? '' : `${type} ${id}: `;
      line(`${level}${job}${message}${describeFacts(facts)}`);
    };
  const isHandler = id !== undefined;
  return {
    debug: () => {},
    info: write(isHandler, ''),
    warn: write(isHandler, 'warning: '),
    error: write(isHandler, 'error: '),
    child: (facts) => logLines(line, { ...about, ...facts }),
  };
}

function describeFacts(facts: unknown): string {
  const { err, ...rest } = (typeof facts === 'object' && facts !== null ? facts : {}) as { err?: unknown };
  const error = facts instanceof Error ? facts : err;
  const shown = facts instanceof Error ? {} : rest;
  return [
    Object.keys(shown).length === 0 ? '' : ` ${JSON.stringify(shown)}`,
    error instanceof Error ? ` ${error.message}` : '',
  ].join('');
}

import { mkdirSync, openSync, writeSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { stateDir } from '../lib/paths.mjs';

const tailLines = 12;
const nameWidth = 7;

/** Says where a program's lines go: to the terminal, and untouched to .duework/logs/<name>.log. */
export async function createPrinter({ isJson }) {
  const logs = join(stateDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const isColored = process.stdout.isTTY === true && !process.env.NO_COLOR;
  const isPretty = process.stdout.isTTY === true && !isJson;
  const format = isPretty ? await createFormat(isColored) : undefined;
  const dim = (text) => (isColored ? `\u001b[2m${text}\u001b[22m` : text);

  return {
    /** A line of the start itself. With --json, stdout belongs to the programs. */
    say: (line) => void (isJson ? process.stderr : process.stdout).write(`${line}\n`),
    /**
     * @param {string} name
     * @returns {{ take: (line: string) => void, tail: () => string[], path: string, close: () => void }}
     */
    open(name) {
      const path = join(logs, `${name}.log`);
      const file = openSync(path, 'w');
      const prefix = dim(`${name.padEnd(nameWidth)}| `);
      let last = [];
      return {
        path,
        tail: () => last,
        close: () => closeSync(file),
        take(line) {
          writeSync(file, `${line}\n`);
          last = [...last, line].slice(-tailLines);
          if (format === undefined) process.stdout.write(`${line}\n`);
          else for (const part of format(line).trimEnd().split('\n')) process.stdout.write(`${prefix}${part}\n`);
        },
      };
    },
  };
}

/** pino's JSON as one readable line; what is not JSON stays as it is. */
async function createFormat(colorize) {
  const { prettyFactory } = await import('pino-pretty');
  return prettyFactory({ colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname,app,name' });
}

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { prettyFactory } from 'pino-pretty';
import { stateDir } from '../../../bootstrap/paths.mjs';

const TAIL_LINES = 12;
const NAME_WIDTH = 7;

/** The destination of one program's lines. */
export interface ProgramOutput {
  /** Its log file. */
  readonly path: string;
  take(line: string): void;
  /** Its last lines. */
  tail(): readonly string[];
  close(): void;
}

export interface Printer {
  /** A line of the start itself. With --json, stdout belongs to the programs. */
  say(line: string): void;
  open(name: string): ProgramOutput;
}

export interface PrinterOptions {
  /** Every line as it is, for a program to read. */
  readonly isJson: boolean;
  /** Every line; otherwise warnings and errors, because the addresses of the start are to stay in sight. */
  readonly isWhole: boolean;
}

/** Prints a program's lines to the terminal, and writes all of them unchanged to .duework/logs/<name>.log. */
export function createPrinter({ isJson, isWhole }: PrinterOptions): Printer {
  const logs = join(stateDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const isColored = process.stdout.isTTY && !process.env['NO_COLOR'];
  const format = process.stdout.isTTY && !isJson ? createFormat(isColored) : undefined;
  const dim = (text: string): string => (isColored ? `\u001b[2m${text}\u001b[22m` : text);

  return {
    say: (line) => void (isJson ? process.stderr : process.stdout).write(`${line}\n`),
    open(name) {
      const path = join(logs, `${name}.log`);
      const file = openSync(path, 'w');
      const prefix = dim(`${name.padEnd(NAME_WIDTH)}| `);
      let last: string[] = [];
      return {
        path,
        tail: () => last,
        close: () => closeSync(file),
        take(line) {
          writeSync(file, `${line}\n`);
          last = [...last, line].slice(-TAIL_LINES);
          if (!isJson && !isWhole && isRoutine(line)) return;
          if (format === undefined) process.stdout.write(`${line}\n`);
          else for (const part of format(line).trimEnd().split('\n')) process.stdout.write(`${prefix}${part}\n`);
        },
      };
    },
  };
}

/** Whether pino wrote it as less than a warning (40). */
const isRoutine = (line: string): boolean => Number(/^\{"level":(\d+),/.exec(line)?.[1] ?? Infinity) < 40;

/** Turns pino's JSON into one readable line; other lines stay as they are. */
function createFormat(colorize: boolean): (line: string) => string {
  return prettyFactory({
    colorize,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,app,name',
  });
}

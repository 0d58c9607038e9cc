import { parse } from 'node:querystring';

/** A line of graphile-worker's crontab. */
export interface CrontabLine {
  readonly task: string;
  /** By which graphile-worker knows it: its `id`, or its task. */
  readonly identifier: string;
  readonly cron: string;
  /** As JSON; undefined: it has none. */
  readonly payload: string | undefined;
}

const LINE = /^((?:[0-9*/,-]+\s+){5})([_a-zA-Z][_a-zA-Z0-9:/-]*)(?:\s+\?(\S+))?(?:\s+(\{.*\}))?$/;

/** The lines of a crontab of graphile-worker's, without comments; `unknown`: those that are none. */
export function readCrontab(text: string): {
  readonly lines: readonly CrontabLine[];
  readonly unknown: readonly string[];
} {
  const lines: CrontabLine[] = [];
  const unknown: string[] = [];
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [, cron, task, options, payload] = LINE.exec(line) ?? [];
    if (cron === undefined || task === undefined) unknown.push(line);
    else {
      const { id } = parse(options ?? '');
      lines.push({
        task,
        identifier: typeof id === 'string' ? id : task,
        cron: cron.trim().replace(/\s+/g, ' '),
        payload,
      });
    }
  }
  return { lines, unknown };
}

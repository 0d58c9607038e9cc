import { parseArgs } from 'node:util';
import { parseDuration, type Duration } from '@duework/contracts';

export const HELP = `Usage: node apps/worker/dist/main.js [--once [--max-runtime 50s]]

Runs the jobs until it is told to stop (SIGTERM, SIGINT).

  --once              do what is due now and end: for cron, systemd timers, and anything else that only wakes
  --max-runtime TIME  with --once: claim no more after this long (30s, 5m); 50s unless given. What runs then may
                      still end within SHUTDOWN_DEADLINE_MS
  --help              this text

Exit codes: 0 stopped as asked; with --once: nothing is due any more
            1 could not start, or stopped because of a fault
            2 the environment or the arguments are wrong
            3 with --once: the time was over, and something is still due
            4 with --once: nothing is due any more, and at least one job was given up (dead)
`;

export interface Arguments {
  /** null: the worker runs until it is stopped. */
  readonly once: { readonly maxRuntimeMs: number } | null;
  readonly isHelpWanted: boolean;
}

export type ArgumentsReading =
  { readonly ok: true; readonly arguments: Arguments } | { readonly ok: false; readonly line: string };

/** On a wrong argument, returns one readable line. */
export function readArguments(given: readonly string[]): ArgumentsReading {
  try {
    const { values } = parseArgs({
      args: [...given],
      options: {
        once: { type: 'boolean', default: false },
        'max-runtime': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const maxRuntime = values['max-runtime'];
    if (maxRuntime !== undefined && !values.once) return { ok: false, line: '--max-runtime goes with --once.' };
    const maxRuntimeMs = parseDuration((maxRuntime ?? '50s') as Duration);
    return { ok: true, arguments: { once: values.once ? { maxRuntimeMs } : null, isHelpWanted: values.help } };
  } catch (error) {
    return { ok: false, line: `${(error as Error).message} See --help.` };
  }
}

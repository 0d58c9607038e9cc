import { parseArgs } from 'node:util';
import { parseDuration, type Duration } from '@duework/contracts';
import { OptionsError } from './options-error.js';
import type { OnceOption } from '../run-worker-options.js';

/** What `--help` says. */
export const help = (program: string): string => `Usage: ${program} [--once [--max-runtime 50s]]

Runs the jobs until it is told to stop (SIGTERM, SIGINT).

  --once              do what is due now and end: for cron, systemd timers, and anything else that only wakes
  --max-runtime TIME  with --once: claim no more after this long (30s, 5m); 50s unless given. What runs then may
                      still end within SHUTDOWN_DEADLINE_MS
  --help              this text

Exit codes: 0 stopped as asked; with --once: nothing is due any more
            1 could not start, or stopped because of a fault
            2 the environment, the arguments or the options are wrong
            3 with --once: the time was over, and something is still due
            4 with --once: nothing is due any more, and at least one job was given up (dead)
            5 the database was dropped and made anew: start it again
`;

export interface Arguments {
  /** null: the worker runs until it is stopped. */
  readonly once: { readonly maxRuntimeMs: number } | null;
  readonly isHelpWanted: boolean;
}

/** How long a wake-up claims unless it is told. */
const MAX_RUNTIME: Duration = '50s';

/** Reads the arguments of a worker's program; `once` is what its options say. Throws `OptionsError`. */
export function readArguments(given: readonly string[], once: OnceOption | undefined): Arguments {
  const { values } = parse(given);
  const maxRuntime = values['max-runtime'];
  const isOnce = values.once || (once !== undefined && once !== false);
  if (maxRuntime !== undefined && !isOnce) throw new OptionsError(['--max-runtime goes with --once.']);
  const ofOption = typeof once === 'object' ? once.maxRuntime : undefined;
  const maxRuntimeMs = readDuration(maxRuntime ?? ofOption ?? MAX_RUNTIME);
  return { once: isOnce ? { maxRuntimeMs } : null, isHelpWanted: values.help };
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      options: {
        once: { type: 'boolean', default: false },
        'max-runtime': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new OptionsError([`${(error as Error).message} See --help.`]);
  }
}

function readDuration(text: string): number {
  try {
    return parseDuration(text as Duration);
  } catch (error) {
    throw new OptionsError([`${(error as Error).message} See --help.`]);
  }
}

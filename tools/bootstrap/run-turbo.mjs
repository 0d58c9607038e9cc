import { delimiter, join } from 'node:path';
import { root } from './paths.mjs';
import { runLogged } from './run-logged.mjs';
import { showProgress } from './show-progress.mjs';

/**
 * Runs one task in every package that has it, and shows only how long it takes. Unchanged packages come from the cache
 * in a second.
 *
 * @param {{ task: string, label: string, pnpmDir: string, filter?: string }} options
 */
export function runTurbo({ task, label, pnpmDir, filter }) {
  const args = [
    'run',
    task,
    '--output-logs=errors-only',
    '--log-prefix=none',
    ...(filter === undefined ? [] : [`--filter=${filter}`]),
  ];
  return showProgress(label, () =>
    runLogged({
      name: task,
      command: join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'turbo.cmd' : 'turbo'),
      args,
      env: {
        // Turbo starts each package's script through pnpm.
        PATH: `${pnpmDir}${delimiter}${process.env['PATH'] ?? ''}`,
        TURBO_TELEMETRY_DISABLED: '1',
        TURBO_NO_UPDATE_NOTIFIER: '1',
        DO_NOT_TRACK: '1',
        NO_COLOR: '1',
      },
    }),
  );
}

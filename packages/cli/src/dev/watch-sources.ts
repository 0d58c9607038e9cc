import { relative } from 'node:path';
import { watch } from 'chokidar';

const IGNORED_FOLDER = /(^|[\\/])(node_modules|dist|build|coverage|generated|\.[^\\/]+)([\\/]|$)/;
const SOURCE = /\.([mc]?[jt]sx?|json)$/;
/** An editor writes several files, or one in several steps. */
const QUIET_MS = 100;

/**
 * Calls `onChange` with the path of a source file below `dir` that has changed, once when several change together.
 * Resolves when it sees changes. What is installed, built or hidden is not watched, `.env` is.
 */
export async function watchSources(dir: string, onChange: (path: string) => void): Promise<{ close(): Promise<void> }> {
  const watcher = watch(dir, {
    ignoreInitial: true,
    ignored: (path, stats) => {
      const name = relative(dir, path);
      if (name === '' || name === '.env') return false;
      return IGNORED_FOLDER.test(name) || (stats?.isFile() === true && !SOURCE.test(name));
    },
  });
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', (_, path) => {
    clearTimeout(timer);
    timer = setTimeout(() => onChange(relative(dir, path)), QUIET_MS);
  });
  watcher.on('error', () => {});
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return {
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

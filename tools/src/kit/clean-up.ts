/**
 * Whatever a tool starts or makes is entered here, and ends with it, also when it is interrupted. Exit handlers cannot
 * wait, so an entry works without waiting: it kills by process id, or removes a folder.
 */
interface Entry {
  readonly endNow: () => void;
}

const entries = new Set<Entry>();

/** Enters something to end; the returned function ends it now, once. */
export function onEnd(endNow: () => void): () => void {
  const entry = { endNow };
  entries.add(entry);
  return function end() {
    if (entries.delete(entry)) endNow();
  };
}

function endAll(): void {
  // what was started last depends on what was started first
  for (const entry of [...entries].reverse()) {
    entries.delete(entry);
    try {
      entry.endNow();
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
}

let isInstalled = false;

/** From now on Ctrl-C and the end of this process leave nothing behind. Calling it again does nothing. */
export function cleanUpAtExit(): void {
  if (isInstalled) return;
  isInstalled = true;
  process.once('exit', endAll);
  // not once: a second Ctrl-C would then end the cleaning-up after the first
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
}

/**
 * A list of everything that a tool starts or makes, which ends with the tool, also when it is interrupted. Exit
 * handlers cannot wait, so an entry works synchronously: it kills by process id, or removes a folder.
 */
interface Entry {
  readonly endNow: () => void;
}

const entries = new Set<Entry>();

/** Adds an entry; the returned function ends it now, once. */
export function onEnd(endNow: () => void): () => void {
  const entry = { endNow };
  entries.add(entry);
  return function end() {
    if (entries.delete(entry)) endNow();
  };
}

function endAll(): void {
  // in reverse order, because later entries depend on earlier ones
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

/** Makes Ctrl-C and the end of this process leave nothing behind. A second call does nothing. */
export function cleanUpAtExit(): void {
  if (isInstalled) return;
  isInstalled = true;
  process.once('exit', endAll);
  // not once: a second Ctrl-C would then end the clean-up that the first one began
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
}

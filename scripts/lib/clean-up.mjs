/**
 * Whatever a script starts or makes is entered here, and ends with it, also when it is interrupted. Exit handlers cannot
 * wait, so an entry works without waiting: it kills by process id, or removes a folder.
 */
const entries = new Set();

/** Enters something to end; the returned function ends it now. */
export function onEnd(endNow) {
  const entry = { endNow };
  entries.add(entry);
  return function end() {
    if (entries.delete(entry)) endNow();
  };
}

function endAll() {
  // what was started last depends on what was started first
  for (const entry of [...entries].reverse()) {
    entries.delete(entry);
    try {
      entry.endNow();
    } catch (error) {
      process.stderr.write(`${error.message}\n`);
    }
  }
}

/** From now on Ctrl-C and the end of this process leave nothing behind. */
export function cleanUpAtExit() {
  process.once('exit', endAll);
  // not once: a second Ctrl-C would then end the cleaning-up after the first
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
}

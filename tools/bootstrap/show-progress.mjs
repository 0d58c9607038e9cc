/** A step shorter than this is not worth a line. */
const quietMs = 700;
/** Where lines cannot be overwritten, one at intervals shows that the step goes on. */
const reminderMs = 15_000;

/**
 * Shows a long step while it lasts: "Installing packages … 12 s". A quick step shows nothing.
 *
 * @template T
 * @param {string | (() => string)} label asked for anew each time it is shown, where it is a function
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} what the work returns
 */
export async function showProgress(label, work) {
  const begun = Date.now();
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  const told = () => (typeof label === 'function' ? label() : label);
  const isTerminal = process.stderr.isTTY === true;
  let hasShown = false;
  const show = () => {
    if (isTerminal) process.stderr.write(`\r${told()} … ${seconds()} `);
    else process.stderr.write(hasShown ? `${told()} … ${seconds()}\n` : `${told()} …\n`);
    hasShown = true;
  };
  const begin = setTimeout(show, quietMs);
  const remind = setInterval(show, isTerminal ? 1_000 : reminderMs);
  /** @param {string} how */
  const end = (how) => {
    clearTimeout(begin);
    clearInterval(remind);
    if (hasShown) process.stderr.write(`${isTerminal ? '\r' : ''}${told()} … ${how}${isTerminal ? '   ' : ''}\n`);
  };
  try {
    const result = await work();
    end(`done in ${seconds()}`);
    return result;
  } catch (error) {
    end('failed');
    throw error;
  }
}

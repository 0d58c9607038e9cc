/**
 * The child's side of start-process.mjs: answers each message with what the function of its kind returns. It ends when the
 * benchmark does, and tells what failed before it ends.
 */
export function serveParent(verbs) {
  const tell = (kind, facts = {}) => process.connected && process.send({ kind, ...facts });
  const fail = (error) => {
    tell('failed', { message: error?.message ?? String(error) });
    // the message needs a moment
    setTimeout(() => process.exit(1), 100);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C in the terminal reaches every process; who started this one ends it
  process.on('SIGINT', () => {});
  process.on('message', ({ kind, ...facts }) => {
    void Promise.resolve(verbs[kind](facts)).then((answer) => tell(kind, answer ?? {}), fail);
  });
  return tell;
}

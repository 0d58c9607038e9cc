/**
 * The child's side of start-process.mjs: answers each message with what the function of its kind returns. An error that nobody
 * catches ends the process with its words on stderr, which the lab takes for what it is: a process that fell over.
 */
export function serveLab(verbs) {
  const tell = (kind, facts = {}) => process.connected && process.send({ kind, ...facts });
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C in the terminal reaches every process; who started this one ends it
  process.on('SIGINT', () => {});
  process.on('message', ({ kind, ...facts }) => {
    void Promise.resolve(verbs[kind](facts)).then((answer) => tell(kind, answer ?? {}));
  });
  return tell;
}

/** What a process does when it is sent a message of a kind; what it returns is the answer. */
export type Verbs = Readonly<Record<string, (facts: never) => unknown>>;

export type Tell = (kind: string, facts?: object) => void;

export interface ServeParentOptions {
  /**
   * Whether an error that nobody catches is told to the parent as what it is before the process ends (`failed`). Otherwise it
   * ends the process with its words on stderr, as it would any other.
   */
  readonly isFailureTold?: boolean;
}

/**
 * The child's side of `startProcess`: answers each message with what the function of its kind returns. It ends when its
 * parent does.
 *
 * @returns sends a message to the parent
 */
export function serveParent(verbs: Verbs, { isFailureTold = false }: ServeParentOptions = {}): Tell {
  const tell: Tell = (kind, facts = {}) => {
    if (process.connected) process.send?.({ kind, ...facts });
  };
  const fail = (error: unknown): void => {
    tell('failed', { message: error instanceof Error ? error.message : String(error) });
    // the message needs a moment
    setTimeout(() => process.exit(1), 100);
  };
  if (isFailureTold) {
    process.on('uncaughtException', fail);
    process.on('unhandledRejection', fail);
  }
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C in the terminal reaches every process; who started this one ends it
  process.on('SIGINT', () => {});
  process.on('message', (message) => {
    const { kind, ...facts } = message as { kind: string };
    void answer(kind, facts);
  });
  async function answer(kind: string, facts: object): Promise<void> {
    const verb = verbs[kind] as ((facts: object) => unknown) | undefined;
    if (verb === undefined) throw new Error(`There is no answer to ${JSON.stringify(kind)} here.`);
    const told = await verb(facts);
    tell(kind, typeof told === 'object' && told !== null ? told : {});
  }
  return tell;
}

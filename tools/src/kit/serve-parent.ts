/** What a process does on a message of a kind; its return value is the answer. */
export type Verbs = Readonly<Record<string, (facts: never) => unknown>>;

export type Tell = (kind: string, facts?: object) => void;

export interface ServeParentOptions {
  /**
   * Whether an uncaught error is sent to the parent (`failed`) before the process ends. Otherwise the process ends with
   * the error on stderr, like any other.
   */
  readonly isFailureTold?: boolean;
}

/**
 * The child's side of `startProcess`: answers each message with what the function of its kind returns. The child ends
 * when its parent does.
 *
 * @returns a function that sends a message to the parent
 */
export function serveParent(verbs: Verbs, { isFailureTold = false }: ServeParentOptions = {}): Tell {
  const tell: Tell = (kind, facts = {}) => {
    if (process.connected) process.send?.({ kind, ...facts });
  };
  const fail = (error: unknown): void => {
    tell('failed', { message: error instanceof Error ? error.message : String(error) });
    // the message takes a moment to leave
    setTimeout(() => process.exit(1), 100);
  };
  if (isFailureTold) {
    process.on('uncaughtException', fail);
    process.on('unhandledRejection', fail);
  }
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C in the terminal goes to every process; the parent decides when this one ends
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

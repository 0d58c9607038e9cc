/** A fact that a test waits for: it becomes true once. */
export interface Fact {
  readonly happened: Promise<void>;
  happen(): void;
}

export function createFact(): Fact {
  let happen = (): void => {};
  const happened = new Promise<void>((resolve) => (happen = resolve));
  return { happened, happen };
}

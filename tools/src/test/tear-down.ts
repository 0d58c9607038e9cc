/** Jest loads its setup and its teardown separately; both see only the global object. */
const scope = globalThis as { dueworkTearDown?: () => Promise<void> };

/** Registers what has to be done after the last test. */
export function keepTearDown(tearDown: () => Promise<void>): void {
  scope.dueworkTearDown = tearDown;
}

/** Jest's global teardown: undoes what the setup did. */
export default async function tearDown(): Promise<void> {
  await scope.dueworkTearDown?.();
}

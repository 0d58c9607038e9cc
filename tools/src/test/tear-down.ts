/** Jest loads its setup and its teardown apart from each other; what both see is the global object. */
const scope = globalThis as { dueworkTearDown?: () => Promise<void> };

/** Says what has to be done after the last test. */
export function keepTearDown(tearDown: () => Promise<void>): void {
  scope.dueworkTearDown = tearDown;
}

/** Jest's global teardown: ends what the setup began. */
export default async function tearDown(): Promise<void> {
  await scope.dueworkTearDown?.();
}

/** Just before jest's own limit for a test, so that what fails names the fact. */
const LIMIT_MS = 55_000;

/** Waits for a fact: polls until it is true. Throws, with the fact's name, before jest would end the test. */
export async function waitUntil(fact: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error(`Waited ${LIMIT_MS} ms in vain: ${fact}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

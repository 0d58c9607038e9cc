/** Waits for a fact: polls until it is true, and fails after `limitMs` with the fact's name. */
export async function waitUntil(
  fact: string,
  isTrue: () => Promise<boolean> | boolean,
  limitMs = 10_000,
): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error(`Waited ${limitMs} ms in vain: ${fact}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

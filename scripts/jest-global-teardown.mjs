/** Ends what jest-global-setup.mjs began. */
export default async function tearDown() {
  await globalThis.dueworkTearDown?.();
}

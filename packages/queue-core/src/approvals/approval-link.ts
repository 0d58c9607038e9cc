import type { KeyRing } from '../secrets/key-ring.js';

/** What a link is for: one wait of one job, and one person. */
export interface LinkedApproval {
  readonly job: string;
  readonly wait: string;
  readonly to: string;
}

/** What links are bound to, so that nothing else that the ring has encrypted is one. */
const PLACE = JSON.stringify(['duework.approval']);

/** A text for an address, which the ring has authenticated: nobody without its keys makes or changes one. */
export const sealLink = (ring: KeyRing, { job, wait, to }: LinkedApproval): string =>
  // a mail program may end an address at a colon
  ring.seal(JSON.stringify([job, wait, to]), PLACE).replace(':', '~');

/** What it is for; null: it was made by nobody with these keys, or was changed. */
export function openLink(ring: KeyRing, token: string): LinkedApproval | null {
  const text = ring.open(token.replace('~', ':'), PLACE);
  if (text === null) return null;
  const [job, wait, to] = JSON.parse(text) as [string, string, string];
  return { job, wait, to };
}

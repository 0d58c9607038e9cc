/** A second is what the header tells, so less than that is no difference. */
const TOLERANCE_MS = 2_000;
let aheadMs = 0;

/** Takes the moment of an answer, so that ages are right where this machine's clock is wrong. */
export function noteServerTime(date: string | null): void {
  const at = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(at)) return;
  const difference = at + 500 - Date.now();
  aheadMs = Math.abs(difference) > TOLERANCE_MS ? difference : 0;
}

/** Now, by the server's clock. */
export const serverNow = (): number => Date.now() + aheadMs;

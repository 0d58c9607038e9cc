export class CardRefusedError extends Error {}

/** Stands for what can fail after the writes: it refuses more than 1,000.00. */
export function chargeCard(cents: number): void {
  if (cents > 100_000) throw new CardRefusedError('The card was refused.');
}

export interface Customer {
  readonly name: string;
  readonly email: string;
  readonly timeZone: string;
}

/** Who orders when nobody says who: a name, and a zone in which Monday begins, for each. */
export const CUSTOMERS: readonly Customer[] = [
  { name: 'Ada Lovelace', email: 'ada@example.com', timeZone: 'Europe/London' },
  { name: 'Grace Hopper', email: 'grace@example.com', timeZone: 'America/New_York' },
  { name: 'Katherine Johnson', email: 'katherine@example.net', timeZone: 'America/Chicago' },
  { name: 'Alan Turing', email: 'alan@example.org', timeZone: 'Europe/London' },
  { name: 'Hedy Lamarr', email: 'hedy@example.org', timeZone: 'Europe/Vienna' },
  { name: 'Mary Jackson', email: 'mary@example.net', timeZone: 'Asia/Kolkata' },
  { name: 'Edsger Dijkstra', email: 'edsger@example.com', timeZone: 'Europe/Amsterdam' },
  { name: 'Joan Clarke', email: 'joan@example.org', timeZone: 'Pacific/Auckland' },
];

/** Somebody who orders for a whole town. */
export const WHOLESALER: Customer = { name: 'Wholesale & Sons', email: 'orders@wholesale.example', timeZone: 'UTC' };

/** Somebody who can get no mail: `.invalid` is kept free for addresses that do not exist (RFC 2606). */
export const NOBODY: Customer = { name: 'A. Typo', email: 'a.typo@nowhere.invalid', timeZone: 'UTC' };

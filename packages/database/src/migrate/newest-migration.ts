import { shipped } from './generated/ledger.js';

/** The newest migration of this release: a program that runs may need what it has made. */
export const newestMigration: string = shipped.at(-1)!.name;

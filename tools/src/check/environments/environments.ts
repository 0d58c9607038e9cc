import type { Environment } from './environment.js';
import { pooled } from './list/pooled.js';
import { reached } from './list/reached.js';
import { settled } from './list/settled.js';

/** All of them, in the order in which they are run. */
export const environments: readonly Environment[] = [...reached, ...pooled, ...settled];

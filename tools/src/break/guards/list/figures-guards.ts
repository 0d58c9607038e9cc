import type { Guard } from '../guard.js';
import { core, cut } from './places.js';

/** What keeps the figures from counting twice, or not at all. */
export const figuresGuards: readonly Guard[] = [
  {
    name: 'figures-given-back',
    says: 'figures that could not be written are written later',
    edits: [cut(core('figures/write-figures.ts'), 'figures!.giveBack(rows);')],
    tests: [
      {
        file: 'packages/operate/src/figures/read-figures.test.ts',
        title: 'a worker that the database does not hear counts on, and writes it later',
      },
    ],
  },
];

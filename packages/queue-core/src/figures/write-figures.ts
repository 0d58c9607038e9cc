import type { Engine } from '../engine/engine.js';

/** Writes what a worker has done since the last time; what cannot be written is added to the next time. */
export async function writeFigures({ store, figures }: Pick<Engine, 'store' | 'figures'>): Promise<void> {
  if (figures === null) return;
  const rows = figures.take();
  try {
    figures.tellNow(await store.writeFigures!(rows));
  } catch (error) {
    figures.giveBack(rows);
    throw error;
  }
}

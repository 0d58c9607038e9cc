import type { Engine } from '../worker/engine.js';

/** Writes the minutes that are over; what cannot be written is kept for the next time. Returns the store's now. */
export async function writeFigures({ store, figures }: Pick<Engine, 'store' | 'figures'>): Promise<number> {
  const rows = figures!.take();
  try {
    return await store.writeFigures!(rows);
  } catch (error) {
    figures!.giveBack(rows);
    throw error;
  }
}

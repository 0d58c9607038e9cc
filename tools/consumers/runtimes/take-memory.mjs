import { defineIsolated } from 'duework/isolated';
import { takeMemory } from './jobs.mjs';

export default defineIsolated(takeMemory, async () => {
  const taken = [];
  for (;;) {
    taken.push(Buffer.alloc(8_000_000, 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

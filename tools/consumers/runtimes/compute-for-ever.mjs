import { defineIsolated } from 'duework/isolated';
import { computeForEver } from './jobs.mjs';

export default defineIsolated(computeForEver, () => {
  for (;;);
});

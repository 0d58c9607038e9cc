/** The same on Duework, which also runs it in a process of its own. */
import { complete, defineIsolated } from 'duework/isolated';
import { thumbnail } from './jobs.js';

export default defineIsolated(thumbnail, async ({ payload: { side }, progress }) => {
  if (side === 0) process.exit(3);
  await progress(100);
  return complete({ pixels: side * side, pid: process.pid });
});

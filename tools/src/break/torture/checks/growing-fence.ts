import type { Check } from './check.js';

/** A claim adds one to the fence, and nothing else changes it. */
export const growingFence: Check = {
  promise: 'a fence only grows, by one with each claim',
  needs: 'any run',
  check({ changes }) {
    const broken: string[] = [];
    const fences = new Map<string, number>();
    let claims = 0;
    for (const { run, from, to, oldFence, newFence } of changes) {
      const known = fences.get(run);
      const before = oldFence ?? known ?? 0;
      if (known !== undefined && oldFence !== null && oldFence !== known)
        broken.push(`run ${run}: its fence was ${known} and became ${oldFence} unseen`);
      if (newFence === null) continue;
      const isClaim = from !== null && to === 'running';
      if (isClaim) claims++;
      if (newFence !== before + (isClaim ? 1 : 0))
        broken.push(`run ${run}: fence ${before} → ${newFence} with ${from ?? 'nothing'} → ${to}`);
      fences.set(run, newFence);
    }
    return { counted: claims, broken };
  },
};

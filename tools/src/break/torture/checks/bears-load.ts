import { RECOVERED_MS } from '../limits.js';
import type { Check } from './check.js';

const LEAST_SHARE = 0.95;
const RESTORED_SHARE = 0.98;

/** With every slot busy; measured by itself, and not in the quick form. */
export const bearsLoad: Check = {
  promise:
    'with every slot busy: backends terminated twice a second cost 5 % at most; after a restart 98 % is back within 10 s',
  needs: 'a measured load',
  check({ load }) {
    if (load === null) return { counted: 0, broken: [], remark: 'not measured in this form' };
    const broken: string[] = [];
    if (load.terminated < LEAST_SHARE) broken.push(`with backends terminated ${load.terminated} × as many jobs ended`);
    const backAfter = load.restart.map(({ mode, share }) => ({
      mode,
      s: share.findIndex((one) => one >= RESTORED_SHARE),
    }));
    for (const { mode, s } of backAfter)
      if (s < 0 || s * 1_000 > RECOVERED_MS) broken.push(`after a restart (${mode}) it was not back within 10 s`);
    return {
      counted: 1 + backAfter.length,
      broken,
      remark: `terminated: ${load.terminated} ×; ${backAfter.map(({ mode, s }) => `${mode} restart: back in second ${s + 1}`).join('; ')}`,
    };
  },
};

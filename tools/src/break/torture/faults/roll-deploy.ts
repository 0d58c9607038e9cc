import { NEW_VERSION, OLD_VERSION } from '../jobs.js';
import type { Fault } from './fault.js';

/** Every worker is replaced by one of the old version, one after the other, and then again by one of the new version, while jobs of both come in: of a type that the old
 * ones do not know, and of one whose payload has changed its shape. */
export const rollDeploy: Fault = {
  name: 'roll-deploy',
  title: 'a deploy is rolled back and rolled out again, old and new workers side by side',
  isSolitary: true,
  async inject({ workers, note }) {
    note('fault.begun', {});
    for (const version of [OLD_VERSION, NEW_VERSION])
      for (const place of workers.places) await workers.replace(place, version);
  },
};

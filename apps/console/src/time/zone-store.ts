import { useSyncExternalStore } from 'react';
import { createStored } from '../theme/create-stored.js';
import type { Zone } from './format-moment.js';

const stored = createStored<Zone>('duework.zone', ['local', 'utc'], 'local');

export const setZone = stored.set;
export const useZone = (): Zone => useSyncExternalStore(stored.subscribe, stored.get);

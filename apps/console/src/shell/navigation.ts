import type { ComponentType } from 'react';
import { texts } from '../texts/texts.js';
import { JobsIcon, SchedulesIcon } from '../ui/icons.js';

export interface NavigationEntry {
  readonly to: '/jobs' | '/schedules';
  readonly words: string;
  readonly Icon: ComponentType<{ readonly className?: string }>;
  /** `g` and then this goes there. */
  readonly key: string;
}

/** One line per screen, in the order in which they are shown. */
export const navigation: readonly NavigationEntry[] = [
  { to: '/jobs', words: texts.screens.jobs, Icon: JobsIcon, key: 'j' },
  { to: '/schedules', words: texts.screens.schedules, Icon: SchedulesIcon, key: 's' },
];

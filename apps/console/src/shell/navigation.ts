import type { ComponentType } from 'react';
import { texts } from '../texts/texts.js';
import { FailuresIcon, JobsIcon } from '../ui/icons.js';

export interface NavigationEntry {
  readonly to: '/jobs' | '/failures';
  readonly words: string;
  readonly Icon: ComponentType<{ readonly className?: string }>;
  /** `g` and then this goes there. */
  readonly key: string;
}

/** One line per screen, in the order in which they are shown. */
export const navigation: readonly NavigationEntry[] = [
  { to: '/jobs', words: texts.screens.jobs, Icon: JobsIcon, key: 'j' },
  { to: '/failures', words: texts.screens.failures, Icon: FailuresIcon, key: 'f' },
];

import type { ComponentType } from 'react';
import { texts } from '../texts/texts.js';
import { AuditIcon, ContractsIcon, JobsIcon } from '../ui/icons.js';

export interface NavigationEntry {
  readonly to: '/jobs' | '/contracts' | '/audit';
  readonly words: string;
  readonly Icon: ComponentType<{ readonly className?: string }>;
  /** `g` and then this goes there. */
  readonly key: string;
}

/** One line per screen, in the order in which they are shown. */
export const navigation: readonly NavigationEntry[] = [
  { to: '/jobs', words: texts.screens.jobs, Icon: JobsIcon, key: 'j' },
  { to: '/contracts', words: texts.screens.contracts, Icon: ContractsIcon, key: 'c' },
  { to: '/audit', words: texts.screens.audit, Icon: AuditIcon, key: 'a' },
];

import type { ComponentType } from 'react';
import { texts } from '../texts/texts.js';
import {
  AuditIcon,
  ContractsIcon,
  FailuresIcon,
  FlowIcon,
  JobsIcon,
  OverviewIcon,
  QueuesIcon,
  SchedulesIcon,
  WorkersIcon,
} from '../ui/icons.js';

export interface NavigationEntry {
  readonly to:
    '/overview' | '/jobs' | '/failures' | '/schedules' | '/queues' | '/flow' | '/workers' | '/contracts' | '/audit';
  readonly words: string;
  readonly Icon: ComponentType<{ readonly className?: string }>;
  /** `g` and then this goes there. */
  readonly key: string;
}

/** One line per screen, in the order in which they are shown. */
export const navigation: readonly NavigationEntry[] = [
  { to: '/overview', words: texts.screens.overview, Icon: OverviewIcon, key: 'o' },
  { to: '/jobs', words: texts.screens.jobs, Icon: JobsIcon, key: 'j' },
  { to: '/failures', words: texts.screens.failures, Icon: FailuresIcon, key: 'f' },
  { to: '/schedules', words: texts.screens.schedules, Icon: SchedulesIcon, key: 's' },
  { to: '/queues', words: texts.screens.queues, Icon: QueuesIcon, key: 'q' },
  { to: '/flow', words: texts.screens.flow, Icon: FlowIcon, key: 'l' },
  { to: '/workers', words: texts.screens.workers, Icon: WorkersIcon, key: 'w' },
  { to: '/contracts', words: texts.screens.contracts, Icon: ContractsIcon, key: 'c' },
  { to: '/audit', words: texts.screens.audit, Icon: AuditIcon, key: 'a' },
];

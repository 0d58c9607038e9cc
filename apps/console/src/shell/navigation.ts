import type { ComponentType } from 'react';
import { usePrincipal } from '../session/use-principal.js';
import { findRefusal, type Operation } from '../session/use-refusal.js';
import { texts } from '../texts/texts.js';
import {
  AlertsIcon,
  AuditIcon,
  BatchesIcon,
  ContractsIcon,
  FailuresIcon,
  FlowIcon,
  JobsIcon,
  OverviewIcon,
  QueuesIcon,
  SchedulesIcon,
  WorkersIcon,
  WorkflowsIcon,
} from '../ui/icons.js';

export interface NavigationEntry {
  readonly to:
    | '/overview'
    | '/alerts'
    | '/jobs'
    | '/failures'
    | '/workflows'
    | '/batches'
    | '/schedules'
    | '/queues'
    | '/flow'
    | '/workers'
    | '/contracts'
    | '/audit';
  readonly words: string;
  /** What the screen is made of: where the API refuses it, there is no such screen. */
  readonly asks: Operation;
  readonly Icon: ComponentType<{ readonly className?: string }>;
  /** `g` and then this goes there. */
  readonly key: string;
}

/** One line per screen, in the order in which they are shown. */
export const navigation: readonly NavigationEntry[] = [
  { to: '/overview', asks: 'listQueues', words: texts.screens.overview, Icon: OverviewIcon, key: 'o' },
  { to: '/alerts', asks: 'listAlerts', words: texts.screens.alerts, Icon: AlertsIcon, key: 't' },
  { to: '/jobs', asks: 'listJobs', words: texts.screens.jobs, Icon: JobsIcon, key: 'j' },
  { to: '/failures', asks: 'listFailures', words: texts.screens.failures, Icon: FailuresIcon, key: 'f' },
  { to: '/workflows', asks: 'listWorkflows', words: texts.screens.workflows, Icon: WorkflowsIcon, key: 'd' },
  { to: '/batches', asks: 'listBatches', words: texts.screens.batches, Icon: BatchesIcon, key: 'b' },
  { to: '/schedules', asks: 'listSchedules', words: texts.screens.schedules, Icon: SchedulesIcon, key: 's' },
  { to: '/queues', asks: 'listQueues', words: texts.screens.queues, Icon: QueuesIcon, key: 'q' },
  { to: '/flow', asks: 'listFlowRules', words: texts.screens.flow, Icon: FlowIcon, key: 'l' },
  { to: '/workers', asks: 'listWorkers', words: texts.screens.workers, Icon: WorkersIcon, key: 'w' },
  { to: '/contracts', asks: 'listContracts', words: texts.screens.contracts, Icon: ContractsIcon, key: 'c' },
  { to: '/audit', asks: 'listAudit', words: texts.screens.audit, Icon: AuditIcon, key: 'a' },
];

/** The screens that there are here. */
export function useNavigation(): readonly NavigationEntry[] {
  const who = usePrincipal().data;
  return navigation.filter(({ asks }) => findRefusal(who, asks) === null);
}

/** The screen to which an address belongs. */
export const findScreen = (path: string): NavigationEntry | undefined =>
  navigation.find(({ to }) => path === to || path.startsWith(`${to}/`));

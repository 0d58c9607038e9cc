/** One page of the site: its name in the menu, and its file below docs/. */
export interface Page {
  readonly text: string;
  readonly file: string;
}

export interface Chapter {
  readonly text: string;
  readonly pages: readonly Page[];
}

/** The menu, and the order of llms.txt. A page that is not here is found by links and by the search alone. */
export const chapters: readonly Chapter[] = [
  {
    text: 'Start',
    pages: [
      { text: 'What it is', file: 'start/what-it-is.md' },
      { text: 'Your first job in ten minutes', file: 'start/first-job.md' },
    ],
  },
  {
    text: 'Coming from',
    pages: [
      { text: 'pg-boss', file: 'coming-from/pg-boss.md' },
      { text: 'graphile-worker', file: 'coming-from/graphile-worker.md' },
      { text: 'BullMQ', file: 'coming-from/bullmq.md' },
    ],
  },
  {
    text: 'Guides',
    pages: [
      { text: 'In your framework', file: 'frameworks.md' },
      { text: 'Clients and their transactions', file: 'clients.md' },
      { text: 'Contracts and deploys', file: 'contracts.md' },
      { text: 'Schedules', file: 'schedules.md' },
      { text: 'Validators', file: 'validators.md' },
      { text: 'Test your jobs', file: 'testing.md' },
      { text: 'Enqueue in SQL', file: 'sql.md' },
      { text: 'Handlers of their own process', file: 'isolation.md' },
      { text: 'Sensitive values', file: 'sensitive.md' },
      { text: 'Database roles', file: 'roles.md' },
      { text: 'Operations', file: 'operations.md' },
      { text: 'Runbook', file: 'runbook.md' },
      { text: 'Monitoring', file: 'monitoring.md' },
      { text: 'Find jobs', file: 'filters.md' },
      { text: 'Follow jobs', file: 'live.md' },
      { text: 'Over HTTP', file: 'http.md' },
      { text: 'The console', file: 'console.md' },
      { text: 'API keys', file: 'keys.md' },
      { text: 'Security', file: 'security.md' },
      { text: 'The doctor', file: 'doctor.md' },
      { text: 'Pauses, queues, workers', file: 'pauses.md' },
      { text: 'Why a job waits', file: 'explain.md' },
      { text: 'Many jobs at once', file: 'bulk-actions.md' },
      { text: 'The audit', file: 'audit.md' },
      { text: 'Traces', file: 'traces.md' },
      { text: 'Migrations', file: 'migrations.md' },
      { text: 'Performance', file: 'performance.md' },
    ],
  },
  {
    text: 'Reference',
    pages: [
      { text: 'Commands', file: 'commands.md' },
      { text: 'Errors', file: 'errors.md' },
      { text: 'Packages', file: 'packages.md' },
      { text: 'Releasing', file: 'releasing.md' },
      { text: 'Glossary', file: 'glossary.md' },
    ],
  },
  {
    text: 'Trust',
    pages: [
      { text: 'What is guaranteed', file: 'guarantees.md' },
      { text: 'When things break', file: 'reliability.md' },
      { text: 'What an adoption takes', file: 'adoption.md' },
      { text: 'Architecture', file: 'architecture.md' },
      { text: 'The life of a run', file: 'state-machine.md' },
      { text: 'Decisions', file: 'decisions/README.md' },
      { text: 'Experiments', file: 'experiments/README.md' },
    ],
  },
];

/** One page of the site: its name in the menu, and its file below docs/. */
export interface Page {
  readonly text: string;
  readonly file: string;
}

export interface Chapter {
  readonly text: string;
  readonly pages: readonly Page[];
}

/** The menu, and the order of llms.txt; `npm run write -- reference` makes docs/README.md of it. */
export const chapters: readonly Chapter[] = [
  {
    text: 'Start',
    pages: [
      { text: 'What it is', file: 'start/what-it-is.md' },
      { text: 'Your first job in ten minutes', file: 'start/first-job.md' },
      { text: 'Comparison', file: 'start/comparison.md' },
      { text: 'Questions', file: 'start/questions.md' },
    ],
  },
  {
    text: 'Write jobs',
    pages: [
      { text: 'Contracts and deploys', file: 'how-to/contracts.md' },
      { text: 'Handlers, outcomes, middleware', file: 'how-to/handlers.md' },
      { text: 'Side effects once', file: 'how-to/effects.md' },
      { text: 'Recipes', file: 'how-to/recipes.md' },
      { text: 'Clients and their transactions', file: 'how-to/clients.md' },
      { text: 'In your transaction', file: 'how-to/transactions.md' },
      { text: 'In your framework', file: 'how-to/frameworks.md' },
      { text: 'Schedules', file: 'how-to/schedules.md' },
      { text: 'Validators', file: 'how-to/validators.md' },
      { text: 'Large payloads and files', file: 'how-to/large-payloads.md' },
      { text: 'Enqueue in SQL', file: 'how-to/sql.md' },
      { text: 'Test your jobs', file: 'how-to/testing.md' },
    ],
  },
  {
    text: 'Control the flow',
    pages: [
      { text: 'Limits, rates, order, fairness', file: 'how-to/flow-control.md' },
      { text: 'Keep jobs in order', file: 'how-to/order.md' },
      { text: 'Change waiting jobs, debounce, throttle', file: 'how-to/changing-jobs.md' },
      { text: 'Many jobs in one call', file: 'how-to/collect.md' },
      { text: 'Durable handlers: steps', file: 'how-to/workflows.md' },
      { text: 'Waits and signals', file: 'how-to/waits.md' },
      { text: 'Approvals', file: 'how-to/approvals.md' },
      { text: 'An order’s life', file: 'how-to/order-life.md' },
      { text: 'Graphs of jobs', file: 'how-to/graphs.md' },
      { text: 'Batches', file: 'how-to/batches.md' },
      { text: 'Events', file: 'how-to/events.md' },
      { text: 'Isolated handlers', file: 'how-to/isolation.md' },
    ],
  },
  {
    text: 'Run in production',
    pages: [
      { text: 'Before production', file: 'how-to/checklist.md' },
      { text: 'A worker of your own', file: 'how-to/worker.md' },
      { text: 'Deploy and stop', file: 'how-to/deploy.md' },
      { text: 'Kubernetes, systemd, PaaS', file: 'how-to/platforms.md' },
      { text: 'Serverless and Next.js', file: 'how-to/serverless.md' },
      { text: 'Migrations', file: 'how-to/migrations.md' },
      { text: 'The database', file: 'how-to/database.md' },
      { text: 'The disk is full', file: 'how-to/disk-full.md' },
      { text: 'Poolers and managed PostgreSQL', file: 'how-to/poolers.md' },
      { text: 'High availability', file: 'how-to/survive-a-machine.md' },
      { text: 'A copy of the database', file: 'how-to/copies.md' },
      { text: 'Restored from a backup', file: 'how-to/restored.md' },
      { text: 'Several databases', file: 'how-to/shards.md' },
      { text: 'Shards, by command and over HTTP', file: 'how-to/shards-http.md' },
      { text: 'A dedicated queue on Redis', file: 'how-to/dedicated-queue.md' },
      { text: 'Limits of a queue on Redis', file: 'how-to/redis-limits.md' },
      { text: 'Database roles', file: 'how-to/roles.md' },
      { text: 'Sensitive values', file: 'how-to/sensitive.md' },
    ],
  },
  {
    text: 'Operate',
    pages: [
      { text: 'The console', file: 'how-to/console.md' },
      { text: 'The API over HTTP', file: 'how-to/http.md' },
      { text: 'API keys and people', file: 'how-to/keys.md' },
      { text: 'Follow jobs', file: 'how-to/live.md' },
      { text: 'Monitoring', file: 'how-to/monitoring.md' },
      { text: 'Alerts', file: 'how-to/alerts.md' },
      { text: 'Traces', file: 'how-to/traces.md' },
      { text: 'Troubleshooting: the runbook', file: 'how-to/runbook.md' },
      { text: 'Your first night on call', file: 'how-to/first-night.md' },
      { text: 'The doctor', file: 'how-to/doctor.md' },
      { text: 'Pauses, queues, workers', file: 'how-to/pauses.md' },
      { text: 'Inspect and change limits', file: 'how-to/flow-rules.md' },
      { text: 'Retry, cancel, bulk actions', file: 'how-to/bulk-actions.md' },
      { text: 'The audit', file: 'how-to/audit.md' },
    ],
  },
  {
    text: 'Understand',
    pages: [
      { text: 'What is guaranteed', file: 'understand/guarantees.md' },
      { text: 'Architecture', file: 'understand/architecture.md' },
      { text: 'The life of a run', file: 'understand/state-machine.md' },
      { text: 'Leases, in five minutes', file: 'understand/leases.md' },
      { text: 'When things break', file: 'understand/reliability.md' },
      { text: 'Why a job waits', file: 'understand/explain.md' },
      { text: 'Performance', file: 'understand/performance.md' },
      { text: 'Security', file: 'understand/security.md' },
    ],
  },
  {
    text: 'Come over from',
    pages: [
      { text: 'pg-boss', file: 'coming-from/pg-boss.md' },
      { text: 'graphile-worker', file: 'coming-from/graphile-worker.md' },
      { text: 'BullMQ', file: 'coming-from/bullmq.md' },
      { text: 'Bull or Bee-Queue', file: 'coming-from/bull.md' },
      { text: 'Agenda', file: 'coming-from/agenda.md' },
      { text: 'cron', file: 'coming-from/cron.md' },
      { text: 'Inngest', file: 'coming-from/inngest.md' },
      { text: 'Trigger.dev', file: 'coming-from/trigger-dev.md' },
      { text: 'Temporal or DBOS', file: 'coming-from/workflow-engines.md' },
    ],
  },
  {
    text: 'Look up',
    pages: [
      { text: 'Options and defaults', file: 'look-up/options.md' },
      { text: 'Functions', file: 'look-up/functions.md' },
      { text: 'Commands', file: 'look-up/commands.md' },
      { text: 'Variables', file: 'look-up/variables.md' },
      { text: 'Errors', file: 'look-up/errors.md' },
      { text: 'Errors of contracts and databases', file: 'look-up/start-errors.md' },
      { text: 'What texts and payloads may hold', file: 'look-up/values.md' },
      { text: 'Who may do what', file: 'look-up/access.md' },
      { text: 'Find jobs', file: 'look-up/filters.md' },
      { text: 'Figures', file: 'look-up/figures.md' },
      { text: 'Tables and views', file: 'look-up/tables.md' },
      { text: 'Packages and versions', file: 'look-up/packages.md' },
      { text: 'Glossary', file: 'look-up/glossary.md' },
    ],
  },
];

import { ALERT_SEVERITIES, type AlertCondition, type AlertName } from '../ports/alerts.js';

type Facts = AlertCondition['facts'];

interface Description {
  /** What is wrong. */
  readonly says: (facts: Facts) => string;
  /** What to look at first. */
  readonly advises: (facts: Facts) => string;
}

const mostly = (error: Facts[string] | undefined): string => (error === undefined ? '' : `, most with ${error}`);

const descriptions: { readonly [name in AlertName]: Description } = {
  too_many_dead_jobs: {
    says: ({ type, deadInTheLastHour, limit, error }) =>
      `Jobs${type === undefined ? '' : ` of ${type}`} that were given up within the last hour: ${deadInTheLastHour}${mostly(error)}; the limit is ${limit}.`,
    advises: ({ type }) =>
      `Find them by the filter status:dead since:1h${type === undefined ? '' : ` type:${type}`}, and see what their errors have in common.`,
  },
  oldest_job_waits_too_long: {
    says: ({ queue, waitingSeconds, limit }) =>
      `A due job of the queue ${queue} has been waiting for ${waitingSeconds} s, longer than ${limit}.`,
    advises: () =>
      'Check whether its queue is paused, all slots are taken or its worker is gone: npx duework explain <id> says which.',
  },
  schedule_late: {
    says: ({ schedule, dueAt }) => `The due time ${dueAt} of the schedule ${schedule} has not been handled.`,
    advises: () => 'Search the workers’ logs for schedule.failed and database.failed.',
  },
  horizon_pinned: {
    says: ({ kind, pinnedSeconds }) =>
      `Dead rows have not been removed for ${pinnedSeconds} s, because something keeps them: ${kind}.`,
    advises: ({ remedy }) => String(remedy ?? 'The view duework.horizon_pins shows what it is, and what ends it.'),
  },
  disk_fills_up: {
    says: ({ usedGb, diskGb, growthGbADay, daysLeft }) =>
      `The databases use ${usedGb} of ${diskGb} GB${daysLeft === undefined ? '' : `, and the queue grows by ${growthGbADay} GB a day: the disk is full in ${daysLeft} days`}.`,
    advises: () => 'Enlarge the disk, or lower RETENTION_DAYS: npx duework doctor says what takes how much.',
  },
  dead_runs_expire: {
    says: ({ runs, keepDeadDays, oldestGoesAt }) =>
      `${runs} dead jobs that are not acknowledged will soon be deleted, after ${keepDeadDays} days; the first at ${oldestGoesAt}.`,
    advises: () => 'Find them by the filter status:dead, and retry or acknowledge them.',
  },
  effect_unknown: {
    says: ({ type, runs }) =>
      `It is unknown whether ${runs === 1 ? 'a job' : `${runs} jobs`} of ${type} took effect: a person has to look.`,
    advises: ({ type }) =>
      `Find them by the filter status:dead code:effect_unknown type:${type}, check the other side (the mail server, the bank), and say what you found when you retry them.`,
  },
  failing_job_type: {
    says: ({ type, failed, attempts, seconds, error }) =>
      `${failed} of ${attempts} attempts of ${type} failed within ${seconds} s${mostly(error)}.`,
    advises: ({ type }) => `Find the jobs by the filter status:failed,dead type:${type}, and look at their errors.`,
  },
  no_worker_for_type: {
    says: ({ waiting, type, version, queue }) =>
      `No running worker can read ${type} version ${version} in the queue ${queue}; due jobs of it: ${waiting}.`,
    advises: () => 'Deploy a worker that knows it, or cancel the jobs.',
  },
  job_released_too_often: {
    says: ({ type, id, releases }) =>
      `Workers that stopped have given back job ${id} of ${type} ${releases} times while it ran, so it may never end.`,
    advises: () => 'Let its handler end sooner or save how far it is; or raise SHUTDOWN_DEADLINE_MS.',
  },
  breaker_open: {
    says: ({ rule, state, seconds }) =>
      state === 'open'
        ? `Too many attempts have failed: ${rule} admits no job for ${seconds} s.`
        : `Too many attempts have failed: ${rule} tries one job at a time until one has succeeded.`,
    advises: ({ rule }) =>
      `Check whether the service that these jobs call is down. The breaker opens by itself, or with npx duework flow open ${rule}.`,
  },
  order_blocked: {
    says: ({ rule, type, id, seconds }) =>
      `Job ${id} of ${type} has been dead for ${seconds} s, and others of its order ${rule} wait for it.`,
    advises: () => 'Fix the cause and retry it, or acknowledge it: then the next of its order runs.',
  },
  test: {
    says: ({ by }) => `This is a test by ${by}, and means nothing.`,
    advises: () => 'Nothing is to be done.',
  },
  held_job_waits_too_long: {
    says: ({ type, id, rule, waitingSeconds, limit }) =>
      `Job ${id} of ${type} has been waiting at ${rule} for ${waitingSeconds} s, longer than ${limit}.`,
    advises: ({ rule, id }) =>
      `npx duework explain ${id} says what it waits for; npx duework flow show ${rule} says who holds the gate.`,
  },
};

/** The names of all alerts. */
export const alertNames = Object.keys(ALERT_SEVERITIES) as readonly AlertName[];

/** What an alert says, and what to look at first, each a sentence. They have no value of a payload. */
export function describeAlert({ name, facts }: Pick<AlertCondition, 'name' | 'facts'>): {
  readonly says: string;
  readonly advises: string;
} {
  const { says, advises } = descriptions[name];
  return { says: says(facts), advises: advises(facts) };
}

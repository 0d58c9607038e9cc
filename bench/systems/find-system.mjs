/**
 * The systems that are compared. Each has a file with the same few functions:
 *
 *   install(url)                  makes its tables in an empty database
 *   openProducer(url)             { enqueue(payload), enqueueMany(payloads, { dueAt }), close() }
 *   openWorker(url, options)      { start(), stop() }: connected at once, and claiming from start() on
 *   openInspector(url)            { isDrained(), close() }: whether everything that was due has been settled
 *   fill(url, { finished, future })  puts rows around the work, as the system itself would have left them
 *
 * A worker calls `handle(payload)` for each job; what that returns is awaited when it is a promise.
 */
const SYSTEMS = [
  { name: 'duework', title: 'Duework', file: './duework.mjs', server: 'postgres', settings: {} },
  {
    name: 'graphile',
    title: 'graphile-worker, fast',
    file: './graphile-worker.mjs',
    server: 'postgres',
    rival: 'graphile-worker',
    settings: { isFast: true },
  },
  {
    name: 'graphile-defaults',
    title: 'graphile-worker, defaults',
    file: './graphile-worker.mjs',
    server: 'postgres',
    rival: 'graphile-worker',
    settings: { isFast: false },
    isVariant: true,
  },
  { name: 'pg-boss', title: 'pg-boss', file: './pg-boss.mjs', server: 'postgres', rival: 'pg-boss', settings: {} },
  {
    name: 'bullmq',
    title: 'BullMQ',
    file: './bullmq.mjs',
    server: 'redis',
    rival: 'bullmq',
    appendfsync: 'always',
    settings: {},
  },
  {
    name: 'bullmq-everysec',
    title: 'BullMQ, fsync every 1 s',
    file: './bullmq.mjs',
    server: 'redis',
    rival: 'bullmq',
    appendfsync: 'everysec',
    settings: {},
    isVariant: true,
  },
  { name: 'floor', title: 'floor, bare SQL', file: './floor.mjs', server: 'postgres', settings: {} },
];

/** A variant is a rival with other settings, which has a figure where they matter. */
export const systems = SYSTEMS;

/** The functions of one system, in this process. */
export async function loadAdapter(name) {
  const system = SYSTEMS.find((known) => known.name === name);
  return (await import(system.file)).makeAdapter(system.settings);
}

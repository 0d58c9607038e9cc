const same = (...names) => Object.fromEntries(names.map((name) => [name, name]));

/** What users install: the entries, the command, and the files that are started as a thread or a process. */
export default {
  from: 'dist/entries',
  entries: same(
    'index',
    'adapters',
    'isolated',
    'migrate',
    'objects',
    'operate',
    'schedules',
    'shards',
    'testing',
    'worker',
  ),
  started: same('command', 'late-pg', 'lease-thread', 'child/supervisor-main', 'child/thread-main'),
  together: {
    probes: { enqueue: '../../../queue-core/dist/enqueue/enqueue' },
    often: ['index', 'worker', 'keep-leases'],
    apart: [
      ['main', 'adapters', 'isolated', 'migrate', 'child/thread-main', 'child/supervisor-main', 'connect'],
      ['on-database', 'operate'],
      ['enqueue'],
    ],
  },
  bin: { duework: 'command' },
  // the SQL of every migration, compressed, and the schema that the doctor expects
  once: [
    '../../../database/dist/migrate/generated/migrations',
    '../../../operate/dist/doctor/generated/expected-schema',
  ],
};
